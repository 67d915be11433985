import { describe, expect, it } from 'vitest'
import { coverSecrets, maskJson, maskText } from './mask.ts'

const TOKEN = `ghp_${'a1B2'.repeat(9)}`

describe('masking for a surface', () => {
  it('replaces a secret with its kind and length, and keeps the rest verbatim', () => {
    const { value, secrets } = maskText(`curl -H "Authorization: Bearer x" https://api.example.org/?t=${TOKEN} -o out`)
    expect(value).not.toContain(TOKEN)
    expect(value).toContain('-o out')
    expect(value).toMatch(/\[masked [a-z-]+, 40 characters\]/)
    expect(secrets).toBeGreaterThan(0)
  })

  it('20: masks the credentials in a header, and keeps the scheme and the text after it', () => {
    const key = ['sk-', 'ab12CD34'.repeat(4)].join('')
    for (const [before, secret, after] of [
      ['curl -H "Authorization: Bearer ', key, '" https://x.example'],
      ['Authorization: Basic ', `dXNlcjpw/${'YXNz'.repeat(3)}==`, ''],
      ["curl -H 'authorization: token ", key, "' x"],
      ['echo Authorization: Bearer ', key, '; rm -rf ~'],
    ] as const) {
      const { value, secrets } = maskText(`${before}${secret}${after}`)
      expect(value).toBe(`${before}[masked header, ${secret.length} characters]${after}`)
      expect(secrets).toBe(1)
    }
    for (const text of ['Authorization: Bearer $(rm -rf ~/x)', 'Authorization: Bearer ~/bin/evil.sh'])
      expect(maskText(text)).toEqual({ value: text, secrets: 0 })
  })

  it('never masks anything that could run', () => {
    for (const text of ['password=$(rm -rf ~)', 'token=`id`', 'secret="a; rm -rf ~"', 'api_key=x|sh']) {
      const { value } = maskText(text)
      for (const active of ['$(rm -rf ~)', '`id`', '; rm -rf ~', '|sh'])
        if (text.includes(active)) expect(value).toContain(active)
    }
  })

  it('masks every value under a secret’s name in the diff of a file that holds secrets', () => {
    const diffOf = (path: string) => {
      const lines = [
        { kind: 'removed', text: 'SECRET=two' },
        { kind: 'added', text: 'RETRIES=3' },
      ]
      return {
        kind: 'command',
        unseen: { files: [{ kind: 'diff', path, hunks: [{ oldStart: 1, newStart: 1, lines }] }] },
      }
    }
    const { value, secrets } = maskJson(diffOf('app/.env.local'))
    expect(secrets).toBe(1)
    expect(JSON.stringify(value)).toContain('SECRET=[masked secret, 3 characters]')
    expect(JSON.stringify(value)).toContain('RETRIES=3')
    expect(maskJson(diffOf('app/env.ts'))).toEqual({ value: diffOf('app/env.ts'), secrets: 0 })
  })

  it('never masks a reference: a file, a command, a name', () => {
    for (const text of [
      'RESTIC_PASSWORD_COMMAND=/tmp/evil x',
      'x --password-command=evil.sh',
      'ansible --vault-password-file=/tmp/evil.sh',
    ]) {
      expect(maskText(text)).toEqual({ value: text, secrets: 0 })
    }
    const pointing = { secret_name: 'prod-db', password_command: 'evil', token_file: 'x' }
    expect(maskJson(pointing)).toEqual({ value: pointing, secrets: 0 })
  })

  it('masks base64 with slashes under a secret name, in text and in data', () => {
    const secret = ['wJalrXUtnFEMI', 'K7MDENG', 'bPxRfiCYzQ8w2KxLm9'].join('/')
    for (const before of ['AWS_SECRET_ACCESS_KEY=', 'aws_secret_access_key = ', 'export STRIPE_SECRET="', 'token: ']) {
      const kind = before.startsWith('token') ? 'token' : 'secret'
      const covered = `${before}[masked ${kind}, ${secret.length} characters]`
      expect(maskText(`${before}${secret}`)).toEqual({ value: covered, secrets: 1 })
      expect(coverSecrets(`${before}${secret}`)).toBe(covered)
    }
    expect(JSON.stringify(maskJson({ secret_access_key: secret }))).not.toContain(secret)
    for (const path of [
      '/srv/Data1/Builds/Nightly2/runner/start',
      'opt/tools/builds/nightly/runner/start',
      '../Xy1/run',
      'Users/Bob1/Documents/Taxes/Everything',
      'Production/Cluster1/MyDocumentsFolder/Signed',
    ])
      expect(maskText(`SECRET_KEY=${path}`)).toEqual({ value: `SECRET_KEY=${path}`, secrets: 0 })
  })

  it('does not mask shell variables, which only refer to a secret', () => {
    for (const text of ['deploy --token "$DEPLOY_TOKEN"', 'PASSWORD=${DB_PASSWORD} x', "curl -u me:x -H 'token: $T'"]) {
      const [, variable = ''] = /(\$[{}\w]+)/.exec(text) ?? []
      expect(maskText(text).value).toContain(variable)
      expect(coverSecrets(text)).toContain(variable)
    }
    expect(coverSecrets('password=$ecret99')).not.toContain('ecret99')
  })

  it('masks by key name at any depth, and counts', () => {
    const { value, secrets } = maskJson({ user: 'ana', auth: { password: 'hunter2hunter2' }, list: [TOKEN] })
    expect(JSON.stringify(value)).not.toContain('hunter2')
    expect(JSON.stringify(value)).not.toContain(TOKEN)
    expect(value).toMatchObject({ user: 'ana' })
    expect(secrets).toBe(2)
  })

  it('does not mask a value because of its name alone, which an agent chooses (A14)', () => {
    for (const value of ['production', 'main', 'delete-all', 'prod.eu2', 'appKey', '2026-01-31', 'release_2026', 'x']) {
      expect(maskJson({ password: value, auth: { token: [value] } }).secrets).toBe(0)
      for (const text of [`deploy --token ${value}`, `PASSWORD=${value}`, `{"secret":"${value}"}`]) {
        expect(maskText(text)).toEqual({ value: text, secrets: 0 })
        expect(coverSecrets(text)).toBe(text)
      }
    }
    expect(maskText('deploy --token production', 'any').secrets).toBe(1)
  })

  it('masks a secret inside a harmless value', () => {
    expect(maskJson({ password: `see ${TOKEN}` }).secrets).toBe(1)
    expect(maskText(`password="see ${TOKEN}"`).value).not.toContain(TOKEN)
  })

  it('leaves data without secrets unchanged', () => {
    expect(maskJson({ path: 'a.txt', n: [1, null, true] })).toEqual({
      value: { path: 'a.txt', n: [1, null, true] },
      secrets: 0,
    })
  })
})
