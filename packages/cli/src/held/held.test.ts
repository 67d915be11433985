import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openGate } from '@countersign/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runInProcess } from '../../../../test/support/run-in-process.ts'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'

/** A gate that holds the calls it is given until the test is over. */
async function holding(...commands: readonly string[]) {
  const folder = temporaryFolder()
  const at = { cwd: join(folder, 'project'), home: join(folder, 'home') }
  mkdirSync(at.cwd)
  mkdirSync(at.home, { mode: 0o700 })
  writeFileSync(join(at.cwd, 'x'), 'x')
  const { gate, desk } = await openGate({ home: at.home, workspace: at.cwd })
  onTestFinished(() => gate.close())
  const results = commands.map((command, n) =>
    gate.run(
      { id: `call${n}abcdef`, tool: 'execute_command', args: { command }, agent: { name: 'coder' } },
      () => 'ran',
    ),
  )
  const seen = new Set<string>()
  for await (const view of desk.held()) if (seen.add(view.id).size === commands.length) break
  return { results, run: (line: string, more = {}) => runInProcess(line.split(' '), { ...at, ...more }) }
}

describe('held, approve and reject', () => {
  it('lists what waits, the soonest first, and cuts no id short of telling them apart', async () => {
    const { run } = await holding('rm x', 'git reset --hard')
    const { stdout } = await run('held')
    expect(stdout).toMatch(
      /^call0abc {2}▲ medium {6}execute_command by coder, confirm \(\S+\), \d+ s ago, (\d+ s|\d+ min) left\n {10}Runs `rm x`\ncall1abc {2}▲▲ high/,
    )
    expect((await run('held --json')).json()).toMatchObject([
      { id: 'call0abcdef', risk: 'medium', supervision: 'confirm' },
      { id: 'call1abcdef', risk: 'high' },
    ])
  })

  it('keeps lists within the terminal, and single calls whole', async () => {
    const { run } = await holding(`rm ${'very-long-name-'.repeat(20)}`)
    for (const line of (await run('held', { columns: 46 })).stdout.split('\n'))
      expect(line.length).toBeLessThanOrEqual(46)
    const { stdout } = await run('held call0', { columns: 46 })
    expect(stdout.replaceAll(/\n {2}│ /g, '')).toContain('very-long-name-'.repeat(20))
  })

  it('shows the code only with one call, and only where it is needed', async () => {
    const { run } = await holding('rm x', 'git reset --hard')
    expect((await run('held call0 --json')).json()).not.toHaveProperty('code')
    expect((await run('held call1 --json')).json()).toHaveProperty('code')
    expect((await run('held --json')).stdout).not.toContain('"code"')
  })

  it('takes an id by any beginning that fits one call alone', async () => {
    const { run } = await holding('rm x', 'rm -f x')
    expect((await run('approve call')).stderr).toContain(
      '`call` fits 2 of them; type more of the id [CS_DECISION_UNKNOWN]',
    )
    expect((await run('approve nope')).stderr).toContain('no held call `nope`; list them with `countersign held`')
  })

  it('decides each alone, in any order (29)', async () => {
    const { run, results } = await holding('rm x', 'rm -f x')
    expect((await run('reject call1 --reason later')).code).toBe(0)
    expect((await run('approve call0 --json')).json()).toMatchObject({
      accepted: true,
      state: 'approved',
      held: 'call0abcdef',
    })
    expect(await Promise.all(results)).toMatchObject([
      { kind: 'completed', value: 'ran' },
      { kind: 'refusal', outcome: 'rejected', reason: 'later' },
    ])
    expect((await run('approve call0')).stderr).toMatch(
      /too late: call `call0` is already completed \[CS_DECISION_LATE\]/,
    )
  })

  it('gives only a grant that was offered', async () => {
    const { run, results } = await holding('rm x')
    expect((await run('approve call0 --grant tool --for session')).stderr).toMatch(
      /not offered for this call; offered: --grant exact --for/,
    )
    expect((await run('approve call0 --grant exact --for 10m')).code).toBe(0)
    await results[0] // the grant comes to life when the call is collected
    expect((await run('grants list --json')).json()).toMatchObject([{ scope: { kind: 'exact' } }])
  })

  it('takes manual calls only with code and reason', async () => {
    const { run, results } = await holding('ls; rm -rf /')
    expect((await run('approve call0')).stderr).toMatch(/manual supervision needs `--code`.*\[CS_DECISION_CODE\]/)
    const { code } = (await run('held call0 --json')).json() as { code: string }
    expect((await run(`approve call0 --code nope --reason sure`)).stderr).toMatch(/that is not the code/)
    expect((await run(`approve call0 --code ${code} --reason sure`)).code).toBe(0)
    expect(await results[0]).toMatchObject({ kind: 'completed' })
  })
})
