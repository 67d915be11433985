import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GivenGrant } from '@countersign/core'
import { decide, openApprover, openGate } from '@countersign/node'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { scopeWords } from './grant-words.ts'

const call = (path: string) => ({ tool: 'write_file', args: { path, content: 'x' }, agent: { name: 'bot' } })

/** A session in which a person gave one grant: this tool, unlimited. */
async function place() {
  const folder = temporaryFolder()
  const at = { cwd: join(folder, 'project'), home: join(folder, 'home') }
  mkdirSync(at.cwd)
  mkdirSync(at.home, { mode: 0o700 })
  writeFileSync(join(at.home, 'policy.yaml'), 'version: 1\ntools: { write_file: confirm }\n', { mode: 0o600 })
  const opened = await openGate({ home: at.home, workspace: at.cwd })
  const { gate, desk, home, ports } = opened
  onTestFinished(() => gate.close())
  const approver = openApprover(home, { name: 'ada' })
  const by = { approver, surface: 'test', crypto: ports.crypto }
  const running = gate.run(call('a'), () => 'written')
  for await (const view of desk.held()) {
    const scope = view.offers.find((offer) => offer.scope.kind === 'tool')?.scope
    await decide(
      desk,
      view,
      { kind: 'approve', ...(scope === undefined ? {} : { grant: { scope, lifetime: { kind: 'session' } } }) },
      by,
    )
    break
  }
  await running
  return { gate, run: (line: string, more = {}) => runInProcess(line.split(' '), { ...at, ...more }) }
}

describe('countersign grants', () => {
  it('lists what can run without asking, who allowed it and for what', async () => {
    const { run } = await place()
    const { stdout } = await run('grants list', { columns: 80 })
    expect(stdout).toMatch(
      /^[0-9a-f]{8} {2}session [0-9a-f]{8}, used 0×, given by ada to bot\n {10}any call of write_file\n$/,
    )
    expect((await run('grants list --json')).json()).toMatchObject([
      { scope: { kind: 'tool', tool: 'write_file' }, uses: 0 },
    ])
  })

  it('revokes one at once: the next call asks again (acceptance 51)', async () => {
    const { run, gate } = await place()
    expect(await gate.isConfirmationRequired(call('b'))).toBe(false)
    const [grant] = (await run('grants list --json')).json() as [{ id: string }]
    expect((await run(`grants revoke ${grant.id.slice(0, 6)}`)).stdout).toBe(`revoked ${grant.id.slice(0, 8)}\n`)
    expect(await gate.isConfirmationRequired(call('b'))).toBe(true)
    expect((await run('grants list --json')).json()).toEqual([])
    expect((await run('journal tail -n 1')).stdout).toContain('grant-revoked')
  })

  it('revokes all, and reports if there are none', async () => {
    const { run } = await place()
    expect((await run('grants revoke --all')).stdout).toMatch(/^revoked [0-9a-f]{8}\n$/)
    expect(await run('grants revoke --all')).toMatchObject({
      stdout: '',
      stderr: 'no active grants; nothing to revoke\n',
      code: 0,
    })
    expect((await run('grants list')).stderr).toBe('no active grants\n')
  })

  it.each([
    ['grants revoke', /name a grant, or use `--all`.*\[CS_USAGE\]/],
    ['grants revoke abc --all', /name a grant, or use `--all`/],
    [
      'grants revoke nothing',
      /no active grant `nothing`; list them with `countersign grants list` \[CS_GRANT_UNKNOWN\]/,
    ],
  ])('suggests what to do for `%s`', async (line, message) => {
    const { run } = await place()
    const { stderr, code } = await run(line)
    expect(stderr).toMatch(message)
    expect(code).toBe(125)
  })
})

describe('the scope of a grant', () => {
  it('has the same words as its offer', () => {
    const when = { tool: ['run'], command: { program: ['git'], verb: ['push'] } }
    const scope = { kind: 'pattern', when, around: { cwd: '/srv/app', beside: ['shell'], key: 'k' } } as const
    expect(scopeWords({ scope } as unknown as GivenGrant)).toBe(
      'commands `git push …` of `run` in `/srv/app`, with the same `shell`, without variables and redirections',
    )
  })
})
