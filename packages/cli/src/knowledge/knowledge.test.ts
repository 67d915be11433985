import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

function place(files: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder()
  const at = { cwd: join(folder, 'project'), home: join(folder, 'home') }
  mkdirSync(at.cwd)
  mkdirSync(at.home, { mode: 0o700 })
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return { ...at, run: (line: string, more = {}) => runInProcess(line.split(' '), { ...at, ...more }) }
}

const row = (more = '') => `version: 1
programs:
  - names: [acme]
    level: low
    effect: formats files
    examples:
      - { command: acme src, level: low }
${more}`
const OWN = 'home/knowledge/acme.yaml'

describe('countersign knowledge lint', () => {
  it('is silent about good files, and tells where to put the first one', async () => {
    expect(await place({ [OWN]: row() }).run('knowledge lint')).toMatchObject({
      stdout: '',
      stderr: '1 file: no problems\n',
      code: 0,
    })
    expect((await place().run('knowledge lint')).stderr).toContain('no knowledge files')
  })

  it('reports file, line, column and the intended word, as `policy lint` does', async () => {
    const { run, home } = place({ [OWN]: row().replace('level:', 'levle:') })
    for (const line of ['knowledge lint', 'policy lint']) {
      const { stdout, stderr, code } = await run(line)
      expect(stdout).toContain(`${home}/knowledge/acme.yaml:4:5: `)
      expect(stdout).toContain('did you mean `level`?')
      expect(stderr).toContain('every call is held until this is fixed')
      expect(code).toBe(1)
    }
  })

  it('warns about rows that can only raise, and about names with two rows', async () => {
    const text = row(
      '  - { names: [bash], level: low, effect: runs }\ntools: [{ names: [read_file], level: low, effect: reads }]\n',
    )
    const { stdout, code } = await place({ [OWN]: text, 'home/knowledge/b.yaml': row() }).run('knowledge lint')
    expect(stdout).toContain('warning: `bash` runs other programs or code, so this row can only raise its level')
    expect(stdout).toContain('warning: `read_file` is a known tool, so this row can only raise its level')
    expect(stdout).toContain('b.yaml:3:1: warning: `acme` also has a row in ')
    expect(code).toBe(0)
  })

  it('checks a draft, and prints JSON', async () => {
    const { run } = place({ 'project/draft.yaml': 'version: 1\n' })
    expect((await run('knowledge lint draft.yaml --json')).json()).toMatchObject({
      files: 1,
      problems: [{ file: 'draft.yaml', line: 1 }],
    })
  })
})

describe('countersign knowledge test', () => {
  it('runs the examples of every layer', async () => {
    const { run } = place({ [OWN]: row(), 'project/.countersign/knowledge/a.yaml': row().replaceAll('acme', 'other') })
    expect(await run('knowledge test')).toMatchObject({ stdout: '2 passed, 0 failed\n', code: 0 })
  })

  it('names the place of a failing example, and what it got', async () => {
    const { run, home } = place({ [OWN]: row('      - { command: acme > ~/.bashrc, level: low }\n') })
    const { stdout, code } = await run('knowledge test')
    expect(stdout).toBe(`${home}/knowledge/acme.yaml:8: expected low, got high: acme > ~/.bashrc\n1 passed, 1 failed\n`)
    expect(code).toBe(1)
  })

  it('tests tools with their arguments, and a draft on its own', async () => {
    const text = `version: 1
tools:
  - names: [acme/pay]
    level: high
    effect: pays
    examples: [{ args: { amount: 3 }, level: high }]
`
    const { run } = place({ [OWN]: 'version: [', 'project/draft.yaml': text })
    expect((await run('knowledge test draft.yaml')).stdout).toBe('1 passed, 0 failed\n')
    expect(await run('knowledge test')).toMatchObject({ code: 1 })
  })
})

describe('countersign knowledge show', () => {
  it('shows the row in force with its place and layer, and what else counts', async () => {
    const { run, home } = place({
      [OWN]: row('  - { names: [git], level: low, effect: works }\n'),
      'project/.countersign/knowledge/a.yaml': row().replace('low', 'high'),
    })
    const own = (await run('knowledge show acme')).stdout
    expect(own).toContain(
      `your row for the program: ${home}/knowledge/acme.yaml:3\n  level: low\n  effect: formats files`,
    )
    expect(own).toContain('row of this project for the program, can only raise: ')
    const git = (await run('knowledge show git --json')).json()
    expect(git).toMatchObject([
      { layer: 'user', use: 'rates', row: { level: 'low' } },
      { layer: 'builtin', use: 'critical', source: expect.stringMatching(/^knowledge\/programs\/git\.yaml:\d+$/) },
    ])
  })

  it('shows built-in programs and tools, and says when there is no row', async () => {
    const { run } = place()
    expect((await run('knowledge show git')).stdout).toMatch(/^built-in row for the program: knowledge\/programs\/git/)
    expect((await run('knowledge show write_file')).stdout).toContain('built-in row for the tool: knowledge/tools/')
    expect(await run('knowledge show acme/pay')).toMatchObject({
      code: 1,
      stderr: 'no row for `acme/pay`; its calls are rated as unknown\n',
    })
  })
})

describe('own rows in other commands', () => {
  it('are named by `risk` and `policy explain`, and shown by `trust`', async () => {
    const { run, home, cwd } = place({
      [OWN]: row(),
      'project/.countersign/knowledge/a.yaml': row().replaceAll('acme', 'other'),
    })
    expect((await run('risk -- acme src')).stdout).toContain(`row       ${home}/knowledge/acme.yaml:3`)
    expect((await run('policy explain -- acme src')).stdout).toContain(`rated by the row ${home}/knowledge/acme.yaml:3`)
    expect((await run('risk --json -- other src')).json()).toMatchObject({ level: 'medium' })
    const before = (await run('trust')).stdout
    expect(before).toContain('If trusted, these rows decide the risk of programs and tools:')
    expect(before).toContain('  other: low (.countersign/knowledge/a.yaml:3)')
    const { digest } = (await run('trust --json')).json() as { digest: string }
    await run(`trust --yes ${digest}`)
    expect((await run('risk --json -- other src')).json()).toMatchObject({ level: 'low' })
    writeFileSync(join(cwd, '.countersign/knowledge/a.yaml'), row().replaceAll('acme', 'another'))
    expect((await run('trust --list --json')).json()).toMatchObject([{ state: 'changed' }])
  })
})
