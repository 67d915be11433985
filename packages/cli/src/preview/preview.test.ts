import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

function place() {
  const folder = temporaryFolder()
  const at = { cwd: join(folder, 'project'), home: join(folder, 'home') }
  mkdirSync(join(at.cwd, 'sources'), { recursive: true })
  mkdirSync(at.home, { mode: 0o700 })
  writeFileSync(join(at.cwd, 'sources/out.js'), 'x')
  writeFileSync(join(at.cwd, 'notes.txt'), 'one\ntwo\n')
  return { ...at, run: (argv: readonly string[], more = {}) => runInProcess(argv, { ...at, ...more }) }
}

const args = (value: object) => ['--args', JSON.stringify(value)]

describe('countersign preview', () => {
  it('shows the card of a command, asks nobody and changes nothing', async () => {
    const { run, cwd } = place()
    const { stdout, stderr, code } = await run(['preview', '--', 'rm -rf sources'])
    expect(stdout).toContain('  │ rm -rf sources\n')
    expect(stdout).toContain('touches     deletes sources  (1 file, 1 byte)')
    expect(stdout).toMatch(/then {8}it would wait for a person\n$/)
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(readdirSync(join(cwd, 'sources'))).toEqual(['out.js'])
    expect((await run(['held'])).stderr).toBe('no held calls\n')
    expect((await run(['history', '--json'])).json()).toEqual([])
  })

  it('shows the change of a tool call, also as data', async () => {
    const { run } = place()
    const call = ['preview', 'write_file', ...args({ path: 'notes.txt', content: 'one\n2\n' })]
    expect((await run(call, { columns: 40 })).stdout).toContain('  │ 2 - two\n  │ 2 + 2\n')
    expect((await run([...call, '--json'])).json()).toMatchObject({
      tool: 'write_file',
      effect: 'Writes 2 lines to `notes.txt`',
      preview: { kind: 'diff', change: 'overwrite', added: 1, removed: 1 },
    })
  })

  it('folds a long text and shows it in full on request', async () => {
    const { run } = place()
    const call = ['preview', 'send_text', '--server', 's', ...args({ text: 'word '.repeat(20_000) })]
    const folded = (await run(call)).stdout
    expect(folded).toContain('folded: use --full to see them')
    const full = (await run([...call, '--full'])).stdout
    expect(full.length).toBeGreaterThan(100_000)
    expect(full).not.toContain('folded')
    const content = Array.from({ length: 3000 }, (_, at) => `line ${at}\n`).join('')
    const written = await run(['preview', 'write_file', ...args({ path: 'new.txt', content }), '--full'])
    expect(written.stdout).toContain('line 1700')
  })

  it('masks secrets unless told to reveal them', async () => {
    const { run } = place()
    const secret = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_')
    const call = ['preview', 'send_text', '--server', 's', ...args({ token: secret })]
    const covered = await run(call)
    expect(covered.stdout).not.toContain(secret)
    expect(covered.stderr).toContain('use --reveal')
    expect((await run([...call, '--reveal'])).stdout).toContain(secret)
  })

  it('answers one call per line, in order, and reports those it cannot', async () => {
    const { run } = place()
    const rows = [
      { id: 1, command: 'ls' },
      { id: 'two', tool: 'delete_path', args: { path: 'sources' } },
      { id: 3 },
      { id: 4, tool: 'list_things', server: 's', args: { a: 1 }, annotations: { readOnlyHint: true } },
      { id: 5, tool: 'x', args: [] },
    ]
    const input = rows.map((row) => JSON.stringify(row)).join('\n')
    const { stdout, code } = await run(['preview', '--jsonl'], { input })
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toMatchObject([
      { id: 1, preview: { kind: 'command', command: 'ls' } },
      { id: 'two', preview: { kind: 'delete', targets: [{ path: 'sources', files: 1 }] } },
      { id: 3, error: 'the line needs `command` or `tool`' },
      { id: 4, preview: { kind: 'arguments' } },
      { id: 5, error: expect.any(String) },
    ])
    expect(code).toBe(1)
  })
})
