import { type CheckInput, type JsonObject, type Kind, secretsChecker } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { scanSecrets } from './secret-scanner.ts'

/** Made-up secrets, split so that scanners do not report this file as a leak. */
const TOKEN = `gh${'p_'}q7Rk2LmX9vTd4WzY8bNc3HsJ6fGp5KaE1uVo`

interface Shape {
  readonly paths?: readonly string[]
  readonly url?: string
  readonly programs?: readonly string[]
  readonly understood?: boolean
  readonly source?: string
}

function check(
  kind: Kind,
  args: JsonObject,
  { paths, url, programs = [], understood = true, source = 'builtin' }: Shape = {},
) {
  const input = {
    call: { args, source, descriptor: { kind, source: 'known', ...(paths && { paths }), ...(url && { url }) } },
    risk: { understood, parts: programs.map((program) => ({ command: { program } })), paths: [] },
  }
  return secretsChecker(scanSecrets).check(input as unknown as CheckInput, new AbortController().signal)
}

describe('the secrets checker', () => {
  it('fails a call that sends a secret out; a person can override it', async () => {
    const answer = await check('fetch', { url: `https://api.acme.io/?t=${TOKEN}` })
    expect(answer).toMatchObject({ status: 'fail', overridable: true })
    expect(answer.message).toBe('it sends a secret (github-token) out, in url')
  })

  it('never shows the secret, only its kind, place and last characters', async () => {
    const answer = await check('write', { path: 'a.ts', content: `one\ntwo ${TOKEN}` }, { paths: ['a.ts'] })
    expect(JSON.stringify(answer)).not.toContain(TOKEN.slice(0, 12))
    expect(answer.details).toEqual({ secrets: [{ kind: 'github-token', at: 'content:2:5', tail: '…1uVo' }], count: 1 })
  })

  it.each([
    ['src/config.ts', 'fail'],
    ['.env.example', 'fail'],
    ['.env', 'warn'],
    ['deploy/prod.env', 'warn'],
    ['certs/server.key', 'warn'],
  ])('a secret written into %s is a %s', async (path, status) => {
    expect(await check('write', { path, content: `T=${TOKEN}` }, { paths: [path] })).toMatchObject({ status })
  })

  it.each([
    [{ programs: ['curl'] }, 'fail'],
    [{ programs: ['make'] }, 'warn'],
    [{ programs: ['make'], understood: false }, 'fail'],
  ])('a secret on a command line with %j is a %s', async (shape, status) => {
    expect(await check('execute', { command: `TOKEN=${TOKEN} x` }, shape)).toMatchObject({ status })
  })

  it('reads a value with its name, a list of words as one line, and a decoded URL', async () => {
    for (const args of [
      { env: { DB_PASSWORD: 'Tr0ub4dor&3' } },
      { argv: ['mysql', '--password', 'Tr0ub4dor-3x'] },
      { url: `https://x.io/?q=${TOKEN.replaceAll('p', '%70')}` },
    ] satisfies JsonObject[]) {
      expect(await check('send', args)).toMatchObject({ status: 'fail' })
    }
  })

  it.each([
    { to: 'ana@acme.io', body: 'see you at 10' },
    { password: '${DB_PASSWORD}' },
    { content: 'password: string', commit: 'a3f5c9e1b7d24680a3f5c9e1b7d24680a3f5c9e1' },
  ] satisfies JsonObject[])('accepts %j', async (args) => {
    expect(await check('send', args)).toMatchObject({ status: 'pass' })
  })
})
