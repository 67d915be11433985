import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { markOf } from '@countersign/core'
import { openGate } from '@countersign/node'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'

/** A gate that holds its calls until the test ends. */
async function holding(...commands: readonly string[]) {
  const folder = temporaryFolder()
  const at = { cwd: join(folder, 'project'), home: join(folder, 'home') }
  mkdirSync(at.cwd)
  mkdirSync(at.home, { mode: 0o700 })
  writeFileSync(join(at.cwd, 'x'), 'x')
  const { gate, desk } = await openGate({ home: at.home, workspace: at.cwd })
  onTestFinished(() => gate.close())
  const held = desk.held()[Symbol.asyncIterator]()
  const results: Promise<unknown>[] = []
  const marks: string[] = []
  for (const [n, command] of commands.entries()) {
    const call = { id: `call${n}abcdef`, tool: 'execute_command', args: { command }, agent: { name: 'coder' } }
    results.push(gate.run(call, () => 'ran'))
    marks.push(markOf((await held.next()).value)) // one after the other, so that the first has the earliest deadline
  }
  const [first = '', second = ''] = marks
  const run = (line: string, more = {}) => runInProcess(line.split(' '), { ...at, ...more })
  return { gate, desk, results, first, second, run }
}

describe('held, approve and reject', () => {
  it('lists held calls by short id, in the order of the queue: by risk within a deadline group', async () => {
    const { run, first, second } = await holding('rm x', 'git reset --hard')
    const { stdout } = await run('held')
    expect(stdout).toMatch(
      /▲▲ high[\s\S]*\n[0-9a-f]{8} {2}▲ medium {6}(\d+ s|\d+ min) left, execute_command by coder, confirm \(\S+\), asked \d+ s ago\n {10}Runs `rm x`\n/,
    )
    expect(stdout.match(/^[0-9a-f]{8}/gm)).toEqual([second, first])
    expect((await run('held --json')).json()).toMatchObject([
      { id: 'call1abcdef', mark: second, risk: 'high' },
      { id: 'call0abcdef', mark: first, risk: 'medium', supervision: 'confirm' },
    ])
  })

  it('lists only calls of a risk and above, an agent or a tool, and how many are hidden', async () => {
    const { run, first, second } = await holding('rm x', 'git reset --hard')
    const marks = async (flags: string) => (await run(`held ${flags}`)).stdout.match(/^[0-9a-f]{8}/gm) ?? []
    expect(await marks('--risk high')).toEqual([second])
    expect(await marks('--agent coder --tool execute')).toEqual([second, first])
    expect(await marks('--agent other')).toEqual([])
    expect((await run('held --agent other')).stderr).toContain('2 hidden by the filter, 1 high among them')
    expect((await run('held --risk huge')).code).not.toBe(0)
  })

  it('approves a call with a masked secret only with `--reveal`, and says how to see it (A14)', async () => {
    const token = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_')
    const { run, first, results } = await holding(`rm x # ${token} and --password production`)
    const refused = await run(`approve ${first}`)
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toMatch(/a hidden secret must be seen first: .*`countersign held <id> --reveal`/)
    expect(refused.stderr).toContain('--password production')
    expect(refused.stderr).not.toContain(token)
    const approved = await run(`approve ${first} --reveal`)
    expect(approved.stderr.replaceAll(/\s+│?\s*/g, '')).toContain(token)
    expect(approved.code).toBe(0)
    expect(await results[0]).toMatchObject({ kind: 'completed' })
  })

  it('shows right-to-left letters between marks, in lists and in full', async () => {
    const { run, first } = await holding('rm \u05d0 > \u05d1')
    const shown = 'rm ⟦RTL⟧\u05d0⟦LTR⟧ > ⟦RTL⟧\u05d1⟦LTR⟧'
    for (const line of ['held', `held ${first}`]) expect((await run(line)).stdout).toContain(shown)
    expect((await run(`held ${first}`)).stdout).toMatch(/letters +⟦RTL⟧\u05d0⟦LTR⟧ U\+05D0\n +⟦RTL⟧\u05d1⟦LTR⟧ U\+05D1/)
  })

  it('fits lists to the terminal, and shows single calls in full', async () => {
    const { run, first } = await holding(`rm ${'very-long-name-'.repeat(20)}`)
    const listed = (await run('held', { columns: 46 })).stdout
    for (const line of listed.split('\n')) expect(line.length).toBeLessThanOrEqual(46)
    expect(listed).toMatch(/(\d+ s|\d+ min) left,/)
    const { stdout } = await run(`held ${first}`, { columns: 46 })
    expect(stdout.replaceAll(/\n {2}│ /g, '')).toContain('very-long-name-'.repeat(20))
  })

  it('reports that secrets are masked, and how to show them', async () => {
    const token = `gh${'p_'}${'q7Rk2LmX9vTd4WzY8bNc3HsJ6fGp5KaE1uVo'}`
    const { run, first } = await holding(`rm x ${token}`)
    const covered = await run(`held ${first}`)
    expect(covered.stdout).toContain('with secrets masked')
    expect(covered.stderr).toBe(`secrets are masked; \`countersign held ${first} --reveal\` shows them\n`)
    const revealed = await run(`held ${first} --reveal`)
    expect(revealed).toMatchObject({ stderr: '', stdout: expect.stringContaining(token) })
    expect(revealed.stdout).toContain('exactly as the tool would get them')
  })

  it('shows the code only for a single call that needs it', async () => {
    const { run, first, second } = await holding('rm x', 'git reset --hard')
    expect((await run(`held ${first} --json`)).json()).not.toHaveProperty('code')
    expect((await run(`held ${second} --json`)).json()).toHaveProperty('code')
    expect((await run('held --json')).stdout).not.toContain('"code"')
  })

  it('shows no secret that the agent or tool repeats, including those only known by name', async () => {
    const { gate, desk, run } = await holding()
    const token = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_')
    const words = `with hunter22horse and ${token}`
    const call = { tool: 'login_site', args: { password: 'hunter22horse', header: `Bearer ${token}` } }
    const asked = { ...call, confirmationMessage: `Log in ${words}?`, said: `I log in ${words}` }
    await gate.submit({ ...asked, requiresConfirmation: true, description: { kind: 'send' } })
    const mark = markOf((await desk.list())[0] ?? expect.fail('nothing is held'))
    for (const line of [`held ${mark}`, `held ${mark} --json`, 'held --json']) {
      const { stdout } = await run(line)
      expect(stdout).not.toMatch(/hunter22horse|A1b2C3d4/)
    }
    expect((await run(`held ${mark}`)).stdout).toMatch(/tool says +“Log in with \[masked password/)
    expect((await run(`held ${mark} --reveal`)).stdout).toContain(`I log in ${words}`)
  })

  it('needs the full short id, and accepts neither an id nor a prefix', async () => {
    const { run, first } = await holding('rm x', 'rm -f x')
    for (const typed of ['call0abcdef', first.slice(0, 7)])
      expect((await run(`approve ${typed}`)).stderr).toContain(
        `\`${typed}\` is only part of a short id; type all of it, as \`countersign held\` shows it [CS_DECISION_UNKNOWN]`,
      )
    expect((await run('approve nope')).stderr).toContain('no held call `nope`; list them with `countersign held`')
  })

  it('decides each call separately, in any order (29)', async () => {
    const { run, results, first, second } = await holding('rm x', 'rm -f x')
    expect((await run(`reject ${second} --reason later`)).code).toBe(0)
    expect((await run(`approve ${first} --json`)).json()).toMatchObject({
      accepted: true,
      state: 'approved',
      held: 'call0abcdef',
      outcome: 'completed',
    })
    expect(await Promise.all(results)).toMatchObject([
      { kind: 'completed', value: 'ran' },
      { kind: 'refusal', outcome: 'rejected', reason: 'later' },
    ])
    expect((await run(`approve ${first}`)).stderr).toContain(`too late: call \`${first}\` is already approved by `)
    expect((await run('history')).stdout).toContain(` ${first} `)
    expect((await run('history --json')).json()).toMatchObject([{ mark: second }, { mark: first }])
    const { stdout } = await run('journal tail')
    expect(stdout).not.toContain('call0abc')
    expect(stdout).toMatch(new RegExp(` decided +${first} `))
    expect(stdout).toMatch(/ opened +- +\S*\/project/)
  })

  it('gives only a grant that was offered', async () => {
    const { run, results, first } = await holding('rm x')
    expect((await run(`approve ${first} --grant tool --for session`)).stderr).toMatch(
      /does not offer that grant; offered: --grant exact --for/,
    )
    expect((await run(`held ${first}`)).stdout).toMatch(
      /with --grant, approving also allows\n[\s\S]* {2}--grant exact --for 10m\n +`execute_command` with exactly these arguments(?:; repeats run outside the sandbox)?, for 10 minutes/,
    )
    const given = await run(`approve ${first} --grant exact --for 10m`)
    expect(given.stderr).toMatch(
      /approving also allows, without asking: `execute_command` with exactly these arguments, for 10 minutes\nwould have matched \d+ of the last \d+ calls\n/,
    )
    expect(given.stdout).toContain(
      `· ${first}\n  also allowed from now on: \`execute_command\` with exactly these arguments, for 10 minutes\n`,
    )
    expect(given.code).toBe(0)
    await results[0] // the grant starts when the call is collected
    expect((await run('grants list --json')).json()).toMatchObject([{ scope: { kind: 'exact' } }])
  })

  it('approves manual calls only with code and reason', async () => {
    const { run, results, first } = await holding('ls; rm -rf /')
    expect((await run(`approve ${first}`)).stderr).toMatch(
      /manual supervision needs `--reason` and `--code`.*\[CS_DECISION_CODE\]/,
    )
    const { code } = (await run(`held ${first} --json`)).json() as { code: string }
    expect((await run(`approve ${first} --code nope --reason sure`)).stderr).toMatch(/wrong code/)
    expect((await run(`approve ${first} --code ${code} --reason sure`)).code).toBe(0)
    expect(await results[0]).toMatchObject({ kind: 'completed' })
  })

  it('approves no call that reuses the short id or id of a shown one (A11)', async () => {
    const { run, gate, desk, first } = await holding('rm x')
    const [shown] = await desk.list()
    const gone = new AbortController()
    const ask = (id: string) =>
      gate.ask({ id, tool: 'execute_command', args: { command: 'rm -r other' }, agent: { name: 'coder' } }, gone.signal)
    const asked = ['call0abc', first, `${first}00`].map(ask)
    await expect.poll(async () => (await desk.list()).length).toBe(4)
    for (const typed of ['call0abc', `${first}00`]) expect((await run(`approve ${typed}`)).code).toBe(125)
    const receipt = (await run(`approve ${first} --json`)).json()
    expect(receipt).toMatchObject({ accepted: true, held: shown?.id })
    expect((await run(`approve ${first}`)).stderr).toContain('[CS_DECISION_LATE]')
    expect(await desk.list()).toHaveLength(3)
    gone.abort()
    expect(await Promise.all(asked)).toMatchObject([...'abc'].map(() => ({ outcome: 'withdrawn' })))
  })
})
