import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

function place(files: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder()
  const at = { cwd: join(folder, 'project'), home: join(folder, 'home') }
  mkdirSync(join(at.cwd, '.countersign'), { recursive: true })
  mkdirSync(at.home, { mode: 0o700 })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return { ...at, run: (line: string, more = {}) => runInProcess(line.split(' '), { ...at, ...more }) }
}

const GOOD = 'version: 1\nrules:\n  - { id: git, command: { program: git, verb: status }, supervision: automatic }\n'
const BAD = 'version: 1\nrules:\n  - { id: a, tool: x, supervison: deny }\n'

describe('countersign policy lint', () => {
  it('is silent about a good file', async () => {
    const { run } = place({ 'home/policy.yaml': GOOD })
    expect(await run('policy lint')).toMatchObject({ stdout: '', stderr: '1 file: no problems\n', code: 0 })
  })

  it('reports file, line, column and the intended word (acceptance 7)', async () => {
    const { run, home } = place({ 'home/policy.yaml': BAD })
    const { stdout, code } = await run('policy lint')
    expect(stdout).toContain(`${home}/policy.yaml:3:`)
    expect(stdout).toContain('did you mean `supervision`?')
    expect(code).toBe(1)
  })

  it('reads .yml and policy.d too (acceptance 8)', async () => {
    const { run, home } = place({ 'home/policy.yml': GOOD })
    mkdirSync(join(home, 'policy.d'))
    writeFileSync(join(home, 'policy.d', 'more.yml'), BAD)
    expect((await run('policy lint')).stdout).toContain('policy.d/more.yml:3:')
  })

  it('separates warnings from problems', async () => {
    const { run } = place({ 'project/.countersign/policy.yaml': GOOD })
    const { stdout, code } = await run('policy lint')
    expect(stdout).toMatch(/policy\.yaml:3:1: warning: `git` has no effect: the project is not trusted/)
    expect(code).toBe(0)
  })

  it('marks commands that run outside the sandbox, unasked, with a note', async () => {
    const text =
      'version: 1\nrules:\n  - { id: d, command: { program: docker }, supervision: automatic, contain: false }\n'
    const { run } = place({ 'home/policy.yaml': text })
    const { stdout, stderr, code } = await run('policy lint')
    expect(stdout).toMatch(
      /policy\.yaml:3:1: note: `d` runs commands outside the sandbox without approval, up to medium risk/,
    )
    expect(stderr).toContain('1 file: no problems')
    expect(code).toBe(0)
  })

  it.each([
    ['user', 0],
    ['managed', 0],
    ['project', 1],
  ])('reads a given file as a %s’s: only two of them can choose a preset', async (layer, code) => {
    const { run } = place({ 'project/draft.yaml': `preset: paranoid\n${GOOD}` })
    expect((await run(`policy lint draft.yaml --layer ${layer}`)).code).toBe(code)
  })

  it('prints the same as JSON', async () => {
    const { run } = place({ 'project/draft.yaml': BAD })
    expect((await run('policy lint draft.yaml --json')).json()).toMatchObject({
      files: [{ name: 'draft.yaml', layer: 'user' }],
      problems: [{ file: 'draft.yaml', line: 3, suggestion: 'supervision' }],
      warnings: [],
      notes: [],
    })
  })

  it.each([
    ['policy lint nowhere.yaml', /cannot be read \(ENOENT\); check the path \[CS_POLICY_READ\]/],
    ['policy lint --home nowhere', /no folder `.*nowhere`; check `--home` \[CS_HOME\]/],
    ['policy lint --layer mine x', /layer.*\[CS_USAGE\]/],
  ])('suggests what to do for `%s`', async (line, message) => {
    const { stdout, stderr, code } = await place().run(line)
    expect(stderr).toMatch(message)
    expect({ stdout, lines: stderr.trimEnd().split('\n').length, code }).toEqual({ stdout: '', lines: 1, code: 125 })
  })

  it('escapes control characters of a file', async () => {
    const { run } = place({
      'project/draft.yaml': 'version: 1\nrules:\n  - { id: "a\\eb", tool: x, supervision: deny }\n',
    })
    const { stdout } = await run('policy lint draft.yaml')
    expect(stdout).not.toBe('')
    expect(stdout).not.toContain('\x1b')
  })
})

describe('countersign policy explain', () => {
  it('prints the winner and what every loser would have answered (acceptance 9)', async () => {
    const { run, home } = place({
      'home/policy.yaml': `${GOOD}  - { id: all, tool: exec, supervision: manual }\n`,
    })
    const { stdout, code } = await run('policy explain -- git status')
    expect(stdout).toContain(`exec: automatic, risk none, by git (user, ${home}/policy.yaml:3)`)
    expect(stdout).toMatch(/ {2}won +git \(user/)
    expect(stdout).toMatch(/ {2}lost +all \(user, .*:4\) sets manual: `git` is more specific/)
    expect(stdout).toMatch(/ {2}no match/)
    expect(code).toBe(0)
  })

  it('accepts the hints of a tool, which a trusted server’s tool needs to run unasked', async () => {
    const { run } = place({ 'home/policy.yaml': 'version: 1\nservers: { github: { trust: hints } }\n' })
    const listed = 'policy explain --json --server github list_issues'
    expect((await run(listed)).json()).toMatchObject({ supervision: 'confirm' })
    const hinted = await run(`${listed} --annotations {"readOnlyHint":true}`)
    expect(hinted.json()).toMatchObject({ supervision: 'automatic' })
    const other = await run('policy explain --json --server gitlab list_issues --annotations {"readOnlyHint":true}')
    expect(other.json()).toMatchObject({ supervision: 'confirm' })
    expect((await run(`${listed} --annotations no`)).stderr).toContain('the annotations are not valid JSON')
  })

  it('accepts a tool with arguments, a server and an agent', async () => {
    const { run } = place({
      'home/policy.yaml':
        'version: 1\nrules:\n  - { id: db, tool: "pg/*", args: { database: prod }, agent: bot, supervision: deny }\n',
    })
    const asked = await run('policy explain query --server pg --agent bot --args {"database":"prod"} --json')
    expect(asked.json()).toMatchObject({
      tool: 'pg/query',
      verdict: { supervision: 'deny', rule: { id: 'db' } },
      problems: [],
    })
    const other = await run('policy explain query --server pg --agent bot --args {"database":"test"} --json')
    expect(other.json()).toMatchObject({ verdict: { supervision: 'confirm' } })
  })

  it('understands a command line in quotes without `--`', async () => {
    const { cwd, home } = place()
    const { stdout, code } = await runInProcess(['policy', 'explain', 'git status && rm -rf build'], { cwd, home })
    expect(code).toBe(0)
    expect(stdout).toContain('rm -rf build')
  })

  it('explains the risk', async () => {
    const { run } = place()
    const { riskReasons } = (await run('policy explain --json -- rm -rf /etc')).json() as { riskReasons: string[] }
    expect(riskReasons.length).toBeGreaterThan(0)
  })

  it('records nothing and asks nobody', async () => {
    const { run } = place()
    await run('policy explain -- rm -rf x')
    expect((await run('journal tail')).stdout).toBe('')
    expect((await run('held --json')).json()).toEqual([])
  })

  it('explains a program that is not installed by its words', async () => {
    const { stdout, code } = await place().run('policy explain -- no-such-program --flag')
    expect(stdout).toMatch(/^exec: /)
    expect(code).toBe(0)
  })

  it('holds everything, and reports why, while a file is refused', async () => {
    const { run } = place({ 'home/policy.yaml': BAD })
    const { stdout, stderr } = await run('policy explain -- git status')
    expect(stdout).toMatch(/^exec: manual/)
    expect(stderr).toMatch(/policy error: .*policy\.yaml:3:/)
  })

  it('fits the width of the terminal', async () => {
    const { stdout } = await place().run('policy explain -- git push --force', { columns: 60 })
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(60)
  })

  it.each([
    ['policy explain', /pass a tool name, or a command after `--`/],
    ['policy explain a b', /`b` is unexpected/],
    ['policy explain a --args [1]', /must be a JSON object/],
    ['policy explain a --args {', /are not valid JSON/],
    ['policy explain a --args {} --args-file f', /use either/],
    ['policy explain a -- git status', /pass either/],
    ['policy explain a --args-file nowhere', /cannot be read \(ENOENT\)/],
    ['policy explain a --cwd nowhere', /cannot be used \(ENOENT\)/],
  ])('suggests what to do for `%s`', async (line, message) => {
    const { stderr, code } = await place().run(line)
    expect(stderr).toMatch(message)
    expect(code).toBe(125)
  })
})

describe('countersign policy test', () => {
  const cases = (supervision: string) =>
    `${GOOD}tests:\n  - { call: { tool: execute_command, args: { command: git status } }, expect: { supervision: ${supervision} } }\n`

  it('counts passed cases', async () => {
    const { run } = place({ 'home/policy.yaml': cases('automatic') })
    expect(await run('policy test')).toMatchObject({ stdout: '1 passed, 0 failed\n', code: 0 })
  })

  it('reports failed cases with place, expected and actual verdict', async () => {
    const { run } = place({ 'project/draft.yaml': cases('deny') })
    const { stdout, code } = await run('policy test draft.yaml')
    expect(stdout).toMatch(/^draft\.yaml:5: fail: .*expected deny, got automatic by git\n0 passed, 1 failed\n$/)
    expect(code).toBe(1)
  })

  it('tests a project’s file as its author intended it', async () => {
    const { run } = place({ 'project/.countersign/policy.yaml': cases('automatic') })
    expect((await run('policy test')).code).toBe(0)
  })

  it('runs the cases of the presets', async () => {
    const { passed, failed } = (await place().run('policy test --presets --json')).json() as {
      passed: number
      failed: number
    }
    expect(failed).toBe(0)
    expect(passed).toBeGreaterThan(10)
  })

  it('does not test a file that does not load', async () => {
    const { run } = place({ 'project/draft.yaml': BAD })
    const { stdout, code } = await run('policy test draft.yaml')
    expect(stdout).toMatch(/draft\.yaml:3:.*\n0 passed, 0 failed\n$/)
    expect(code).toBe(1)
  })

  it('reports that there is nothing to test', async () => {
    const { run } = place({ 'home/policy.yaml': GOOD })
    expect(await run('policy test')).toMatchObject({ stdout: '0 passed, 0 failed\n', code: 0 })
  })
})

describe('countersign policy schema', () => {
  it('prints draft 7, the same to stdout and to a file', async () => {
    const { run, cwd } = place()
    const printed = (await run('policy schema')).json()
    expect(printed).toMatchObject({ $schema: 'http://json-schema.org/draft-07/schema#' })
    await run('policy schema --out s.json')
    expect(JSON.parse(readFileSync(join(cwd, 's.json'), 'utf8'))).toEqual(printed)
    expect((await run('policy schema --out no/s.json')).code).toBe(125)
  })
})
