import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

function place(policy?: string) {
  const folder = temporaryFolder()
  const at = { cwd: join(folder, 'project'), home: join(folder, 'home') }
  mkdirSync(at.cwd)
  mkdirSync(at.home, { mode: 0o700 })
  if (policy !== undefined) writeFileSync(join(at.home, 'policy.yaml'), policy)
  const file = join(at.home, 'policy.d', '50-approvers.yaml')
  const run = (words: readonly string[], more = {}) => runInProcess(words, { ...at, ...more })
  const typing = (words: readonly string[], input: string) => run(words, { columns: 80, input })
  const verdict = async (...words: readonly string[]) =>
    ((await run(['policy', 'explain', '--json', ...words])).json() as { supervision: string }).supervision
  return { ...at, file, run, typing, verdict }
}

describe('a change of the policy by a person', () => {
  it('is shown as a diff, asked for, signed, applied and in the journal', async () => {
    const { run, typing, verdict } = place()
    expect(await verdict('rename_label')).toBe('confirm')
    const { stderr, stdout } = await typing(['policy', 'set', 'rename_label', 'automatic'], 'yes\n')
    expect(stderr).toContain('+   - id: rename_label')
    expect(stderr).toContain('would change 0 of the last 0 calls')
    expect(stdout).toBe('change 1 applied: rename_label: automatic\n')
    expect(await verdict('rename_label')).toBe('automatic')
    await typing(['policy', 'undo'], 'yes\n')
    expect(await verdict('rename_label')).toBe('confirm')
    const { stdout: changes } = await run(['policy', 'changes'])
    expect(changes).toMatch(
      /^change +when +who +what\n1 +\d{4}-\d\d-\d\d \d\d:\d\d\S* +\S+, cli +rename_label: automatic\n/,
    )
    expect(changes).toContain('undo of 1 (rename_label: automatic)')
    expect((await run(['policy', 'changes', '--json'])).json()).toMatchObject([
      { by: expect.any(String), surface: 'cli' },
      {},
    ])
    const { stdout: entries } = await run(['journal', 'tail', '--json'])
    expect(entries).toContain('"what":"rename_label: automatic"')
    expect((await run(['journal', 'verify', '--json'])).json()).toMatchObject({ kind: 'intact' })
  })

  it('that only tightens needs no terminal; one that loosens does', async () => {
    const { run, verdict, file } = place()
    expect((await run(['policy', 'set', 'kind:read', 'deny'])).code).toBe(0)
    expect(await verdict('read_file', '--args', '{"path":"a"}')).toBe('deny')
    const before = readFileSync(file, 'utf8')
    const { stderr } = await run(['policy', 'undo', '--reason', 'x'])
    expect(stderr).toContain('[CS_NO_INTERFACE]')
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  it('that always asks for a command or a tool tightens, and loosens no call at a high risk', async () => {
    const { run, verdict, file } = place()
    expect(await verdict('--', 'terraform', 'destroy')).toBe('manual')
    for (const target of ['git push', 'terraform', 'github/*', 'kind:read'])
      expect((await run(['policy', 'set', target, 'confirm'])).stderr, target).not.toContain('[CS_')
    expect(await verdict('--', 'terraform', 'destroy')).toBe('manual')
    expect(await verdict('--', 'git', 'push')).toBe('confirm')
    expect(await verdict('list_files')).toBe('confirm')
    expect((await run(['policy', 'set', 'git push', 'confirm'])).stderr).toContain('is set already')
    expect(readFileSync(file, 'utf8')).toMatch(/verb: push.*\n.*\n {4}floor: true/)
  })

  it('is told which rule of theirs asks all the same', async () => {
    const { run, typing, verdict } = place()
    await run(['policy', 'set', 'github/*', 'confirm'])
    const { stderr } = await typing(['policy', 'set', 'github/list_issues', 'automatic'], 'yes\n')
    expect(stderr).toMatch(/your rule `github` \(.*50-approvers.yaml\) is stricter and wins: confirm/)
    expect(await verdict('github/list_issues')).toBe('confirm')
  })

  it.each([
    ['altered', (text: string) => text.replace('supervision: deny', 'supervision: automatic')],
    ['unsigned', (text: string) => text.slice(text.indexOf('\n') + 1)],
  ])('does not count once %s: everything needs a person, and one line says why', async (_, alter) => {
    const { run, file, verdict } = place()
    await run(['policy', 'set', 'kind:read', 'deny'])
    writeFileSync(file, alter(readFileSync(file, 'utf8')))
    expect(await verdict('list_files')).toBe('manual')
    expect((await run(['policy', 'explain', 'list_files'])).stderr).toContain('no valid signature')
  })

  it('takes the code and a reason where it loosens manual supervision', async () => {
    const { run, typing, verdict } = place()
    await run(['policy', 'set', 'deploy', 'manual'])
    expect((await typing(['policy', 'undo'], 'yes\n')).stderr).toContain('give a `--reason`')
    expect((await typing(['policy', 'undo', '--reason', 'done'], 'yes\n')).stderr).toContain('nothing was changed')
    expect(await verdict('deploy')).toBe('manual')
  })

  it('brings imported rules into the policy, with their origin as the reason', async () => {
    const { run, cwd, file } = place()
    writeFileSync(join(cwd, 's.json'), JSON.stringify({ permissions: { deny: ['Bash(curl:*)'] } }))
    await run(['policy', 'import', '--from', 'claude-code', '--file', 's.json', '--apply'])
    const text = readFileSync(file, 'utf8')
    expect(text).toContain('Bash(curl:*)')
    const again = ['policy', 'import', '--from', 'claude-code', '--file', 's.json', '--apply']
    expect((await run(again, { env: { COUNTERSIGN_INSIDE: 'c1' } })).stderr).toContain('[CS_DENIED]')
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('is refused if a test of the policy would fail', async () => {
    const tests =
      'version: 1\ntests:\n  - call: { tool: read_file, args: { path: a } }\n    expect: { supervision: automatic }\n'
    const { run, file } = place(tests)
    expect((await run(['policy', 'set', 'kind:read', 'deny'])).stderr).toContain('tests of your policy would fail')
    expect(existsSync(file)).toBe(false)
  })
})

describe('a pause', () => {
  it('holds what ran unasked, until a person resumes on a terminal', async () => {
    const { run, typing, verdict } = place()
    const read = ['read_file', '--args', '{"path":"a"}']
    expect(await verdict(...read)).toBe('automatic')
    await run(['pause', 'lunch'])
    expect(await verdict(...read)).toBe('confirm')
    for (const list of [['held'], ['grants', 'list']])
      expect((await run(list)).stderr, list.join(' ')).toContain('lunch; every call is held and grants are suspended')
    expect((await run(['pause'])).stderr).toContain('already paused')
    expect((await run(['status'])).stderr).toContain('lunch; every call is held')
    const { stderr } = await run(['exec', '--no-input', '--', 'ls'])
    expect(stderr).toMatch(/every call is held \(paused by \S+: lunch\) .*`countersign resume`.*\[CS_NO_INTERFACE\]/)
    expect((await run(['resume'])).stderr).toContain('[CS_NO_INTERFACE]')
    expect(await verdict(...read)).toBe('confirm')
    await typing(['resume'], 'yes\n')
    expect(await verdict(...read)).toBe('automatic')
  })
})
