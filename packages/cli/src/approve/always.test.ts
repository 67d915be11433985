import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OpenedGate, openGate } from '@countersign/node'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'

const ASK = 'version: 1\nrules:\n  - { id: ask, kind: write, supervision: confirm }\n'

/** A home whose policy asks for every write, with one write that waits for a person. */
async function held(policy = ASK) {
  const cwd = temporaryFolder()
  const at = { cwd, home: join(cwd, 'home') }
  const project = join(cwd, 'project')
  mkdirSync(at.home, { mode: 0o700 })
  mkdirSync(project)
  writeFileSync(join(at.home, 'policy.yaml'), policy)
  const opened = await openGate({ home: at.home, workspace: project, session: 'session' })
  onTestFinished(() => opened.gate.close())
  const writing = (path: string) => ({ tool: 'write_file', args: { path, content: 'new' } })
  const asked = opened.gate.ask(writing('notes.md'))
  await expect.poll(() => opened.desk.list()).toHaveLength(1)
  const [view] = await opened.desk.list()
  const mark = view?.requestDigest.slice(0, 8) ?? ''
  const run = (words: readonly string[], more = {}) => runInProcess(words, { ...at, ...more })
  const file = join(at.home, 'policy.d', '50-approvers.yaml')
  return { opened, asked, mark, run, file, project, writing, call: view?.id }
}

/** `permit`, or `held` for a call that waits for a person; it is then withdrawn. */
async function fate({ gate }: OpenedGate, call: Parameters<OpenedGate['gate']['ask']>[0]): Promise<string> {
  const leaving = new AbortController()
  let wasHeld = false
  const stop = gate.subscribe((event) => {
    if (event.kind !== 'held') return
    wasHeld = true
    leaving.abort()
  })
  const { kind } = await gate.ask(call, leaving.signal)
  stop()
  return wasHeld ? 'held' : kind
}

describe('countersign approve --always', () => {
  it('shows the rule, its diff and its effect, approves, adds the rule signed, and can be undone', async () => {
    const { opened, asked, mark, run, file, project, writing, call } = await held()
    const { stdout, stderr } = await run(['approve', mark, '--always'], { columns: 80, input: 'yes\n' })
    const text = stderr.replace(/\s+/g, ' ')
    expect(text).toContain('approving also adds this rule to your policy')
    expect(stderr).toContain('+   - id: write_file-path-')
    expect(text).toContain('would change 1 of the last 1 call')
    expect(stdout).toMatch(
      /approved by .*\n.*\n {2}rule added to your policy: write_file, path \S+notes\.md: automatic; `countersign policy undo 1`/,
    )
    expect(await asked).toMatchObject({ kind: 'permit' })
    expect(await fate(opened, writing('notes.md'))).toBe('permit')
    expect(await fate(opened, writing('other.md'))).toBe('held')
    expect(readFileSync(file, 'utf8')).toContain(`path: ${JSON.stringify(join(project, 'notes.md'))}`)
    const { stdout: journal } = await run(['journal', 'tail', '--json'])
    const entry = journal.split('\n').find((line) => line.includes('"policy-set"')) ?? '{}'
    expect(JSON.parse(entry)).toMatchObject({ from: call, act: 'set', surface: 'cli', loosens: true })
    await run(['policy', 'undo'], { columns: 80, input: 'yes\n' })
    expect(await fate(opened, writing('notes.md'))).toBe('held')
  })

  it('adds the rule for the scope that `--grant` names', async () => {
    const { opened, mark, run, writing } = await held()
    await run(['approve', mark, '--always', '--grant', 'folder'], { columns: 80, input: 'yes\n' })
    expect(await fate(opened, writing('other.md'))).toBe('permit')
  })

  it('decides nothing without a terminal, without the word, or for a scope that has no rule', async () => {
    const { opened, mark, run, file } = await held()
    expect((await run(['approve', mark, '--always'])).stderr).toContain('[CS_NO_INTERFACE]')
    expect((await run(['approve', mark, '--always'], { columns: 80, input: 'y\n' })).stderr).toContain('still held')
    expect((await run(['approve', mark, '--always', '--grant', 'exact'])).stderr).toContain('[CS_GRANT_SCOPE]')
    expect((await run(['approve', mark, '--always', '--for', '5'])).stderr).toContain('[CS_USAGE]')
    expect((await run(['approve', mark, '--always'], { env: { COUNTERSIGN_INSIDE: 'c1' } })).code).not.toBe(0)
    expect(await opened.desk.list()).toHaveLength(1)
    expect(existsSync(file)).toBe(false)
  })

  it('is refused if a stricter rule would still ask, or a test of the policy would fail', async () => {
    const floor = `${ASK}  - { id: floor, kind: write, supervision: confirm, floor: true }\n`
    const strict = await held(floor)
    const { stderr } = await strict.run(['approve', strict.mark, '--always'], { columns: 80, input: 'yes\n' })
    expect(stderr).toMatch(/does not offer that rule|would change nothing/)
    const tested = await held(
      `${ASK.replace('kind: write', 'tool: "write*"')}tests:\n  - call: { tool: write_file, args: { path: a } }\n    expect: { supervision: confirm }\n`,
    )
    const failing = ['approve', tested.mark, '--always', '--grant', 'tool']
    expect((await tested.run(failing, { columns: 80, input: 'yes\n' })).stderr).toContain(
      'tests of your policy would fail',
    )
    expect(await tested.opened.desk.list()).toHaveLength(1)
  })

  it('takes the code and a reason where the rule could loosen a manual call', async () => {
    const { mark, run, file } = await held(
      `${ASK}  - { id: keys, tool: write_file, risk: { at_least: high }, supervision: manual }\n`,
    )
    const words = ['approve', mark, '--always']
    expect((await run(words, { columns: 80, input: 'yes\n' })).stderr).toContain('give a `--reason`')
    expect((await run([...words, '--reason', 'x'], { columns: 80, input: 'yes\n' })).stderr).toContain('still held')
    expect(existsSync(file)).toBe(false)
  })
})
