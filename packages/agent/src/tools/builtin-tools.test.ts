import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@countersign/core'
import { listBackups, openGate } from '@countersign/node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { BUILTIN_TOOLS } from './builtin-tools.ts'
import { builtin } from './tool-run.fixture.ts'

const LINES = Array.from({ length: 200 }, (_, at) => `line ${at + 1}\n`).join('')

/** A real gate under `balanced`, with a small project. */
async function open() {
  const workspace = temporaryFolder()
  writeFileSync(join(workspace, 'long.txt'), LINES)
  mkdirSync(join(workspace, 'dir'))
  writeFileSync(join(workspace, 'dir/a.ts'), 'a\n')
  const opened = await openGate({ home: temporaryFolder(), workspace })
  onTestFinished(() => opened.gate.close())
  const callOf = (name: string, args: JsonObject) => {
    const { description, inputSchema, source, containable = false } = builtin(name)
    const tool = { name, description, definition: { description, inputSchema } }
    return { tool, source, args, cwd: workspace, containable }
  }
  return { ...opened, workspace, callOf }
}

const PATCH = '--- a/long.txt\n+++ b/long.txt\n@@ -1,1 +1,2 @@\n+top\n line 1\n'

/** Tool, arguments, and what a person sees: preview, risk, supervision under `balanced`. */
const ROWS: readonly (readonly [string, JsonObject, object, string, string])[] = [
  ['read_file', { path: 'long.txt', start_line: 1 }, { kind: 'json' }, 'none', 'automatic'],
  ['list_directory', {}, { kind: 'json' }, 'none', 'automatic'],
  ['search', { pattern: 'rm -rf /', path: 'dir' }, { kind: 'json' }, 'none', 'automatic'],
  ['search', { pattern: 'x' }, { kind: 'json' }, 'none', 'automatic'],
  ['write_file', { path: 'new.txt', content: 'x\n' }, { kind: 'diff', change: 'create', added: 1 }, 'medium', 'notify'],
  [
    'write_file',
    { path: 'long.txt', content: `top\n${LINES}` },
    { kind: 'diff', change: 'overwrite', added: 1, removed: 0 },
    'medium',
    'notify',
  ],
  ['write_file', { path: 'long.txt', content: LINES }, { kind: 'diff', change: 'none' }, 'medium', 'notify'],
  [
    'edit_file',
    { path: 'long.txt', old_string: 'line 1\n', new_string: 'top\nline 1\n' },
    { kind: 'diff', change: 'overwrite', added: 1, removed: 0 },
    'medium',
    'notify',
  ],
  ['apply_diff', { patch: PATCH }, { kind: 'diff', change: 'overwrite', added: 1, removed: 0 }, 'medium', 'notify'],
  ['create_directory', { path: 'made' }, { kind: 'json' }, 'low', 'automatic'],
  [
    'move_file',
    { source: 'long.txt', destination: 'dir' },
    { kind: 'move', to: { path: 'dir/long.txt' } },
    'medium',
    'notify',
  ],
  ['delete_file', { path: 'dir' }, { kind: 'delete', targets: [{ type: 'directory', files: 1 }] }, 'high', 'confirm'],
  ['delete_file', { path: 'long.txt' }, { kind: 'diff', change: 'delete', removed: 200 }, 'medium', 'confirm'],
  ['execute_command', { command: 'git status' }, { kind: 'command', command: 'git status' }, 'none', 'automatic'],
  ['execute_command', { command: 'rm -rf ~' }, { kind: 'command' }, 'critical', 'manual'],
  [
    'fetch_url',
    { url: 'https://example.com/a' },
    { kind: 'http', method: 'GET', host: 'example.com' },
    'low',
    'confirm',
  ],
  [
    'fetch_url',
    { url: 'http://localhost:3000/a' },
    { kind: 'http', method: 'GET', host: 'localhost:3000' },
    'low',
    'confirm',
  ],
  [
    'fetch_url',
    { url: 'https://example.com/a', method: 'POST', body: 'x' },
    { kind: 'http', method: 'POST' },
    'medium',
    'confirm',
  ],
]

describe('the built-in tools behind the gate', () => {
  it('44, 45: have the expected preview, risk and supervision', async () => {
    const { gate, callOf } = await open()
    for (const [name, args, preview, risk, supervision] of ROWS) {
      const view = await gate.preview(callOf(name, args))
      const asked = { preview: view.preview, risk: view.risk.level, supervision: view.verdict.supervision }
      expect(asked, `${name} ${JSON.stringify(args).slice(0, 100)}`).toMatchObject({ preview, risk, supervision })
    }
  })

  it('21: a write runs with a notice, and the old text is backed up', async () => {
    const { gate, callOf, workspace, home } = await open()
    const kinds: string[] = []
    gate.subscribe(({ kind }) => kinds.push(kind))
    const tool = builtin('write_file')
    const run = { workspace, signal: new AbortController().signal, output: () => {}, mayRead: async () => false }
    const result = await gate.run(callOf('write_file', { path: 'long.txt', content: 'new\n' }), (args) =>
      tool.run(args, run),
    )
    expect(result).toMatchObject({ kind: 'completed', value: 'replaced `long.txt` (4 bytes)' })
    expect(kinds).toContain('notice')
    expect(readFileSync(join(workspace, 'long.txt'), 'utf8')).toBe('new\n')
    expect(listBackups(home)).toHaveLength(1)
  })

  it('25: a held deletion has no effect, and is withdrawn with its caller', async () => {
    const { gate, callOf, workspace } = await open()
    const leaving = new AbortController()
    let ran = 0
    const stop = gate.subscribe(({ kind }) => {
      if (kind === 'held') leaving.abort()
    })
    const result = await gate.run(callOf('delete_file', { path: 'dir' }), () => (ran += 1), leaving.signal)
    stop()
    expect(result).toMatchObject({ kind: 'refusal', outcome: 'withdrawn' })
    expect([ran, readFileSync(join(workspace, 'dir/a.ts'), 'utf8')]).toEqual([0, 'a\n'])
  })

  it('have unique names', () => {
    expect(new Set(BUILTIN_TOOLS.map(({ name }) => name)).size).toBe(11)
  })
})
