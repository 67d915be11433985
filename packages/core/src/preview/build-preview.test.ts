import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FrozenCall } from '../call/call.ts'
import { canonicalJson } from '../call/canonical.ts'
import { freezeCall } from '../call/freeze-call.ts'
import type { Json } from '../call/json.ts'
import type { CommandPart } from '../command/decomposition.ts'
import type { Targets } from '../ports/targets.ts'
import type { RiskReport } from '../risk/report.ts'
import { buildPreview, customPreview } from './build-preview.ts'
import type { DiffLine, Preview } from './preview.ts'

const crypto = { sha256: (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex') }
const calm: RiskReport = { level: 'none', reversible: 'yes', reasons: [], paths: [], parts: [], understood: true }

function call(tool: string, args: object, server?: string): FrozenCall {
  const ref = server === undefined ? tool : { name: tool, server }
  return freezeCall({ tool: ref, args }, { crypto, session: null, cwd: '/w', newId: () => 'id' })
}

/** A file system in memory: text, or a type of something that is no text. */
function targets(files: { readonly [path: string]: string | { readonly type: 'directory' | 'file' } }): Targets {
  return {
    resolve: async (path) => path,
    program: async () => undefined,
    look: async (path) => {
      const found = files[path]
      const type = found === undefined ? 'absent' : typeof found === 'string' ? 'file' : found.type
      return { given: path, real: path, type, content: 'unbound' }
    },
    readText: async (path) => {
      const found = files[path]
      return typeof found === 'string' ? found : undefined
    },
  }
}

async function diffOf(tool: string, args: object, files: Parameters<typeof targets>[0] = {}): Promise<Extract<Preview, { kind: 'diff' }>> {
  const preview = await buildPreview(call(tool, args), calm, targets(files))
  if (preview.kind !== 'diff') throw new Error(`expected a diff, got ${JSON.stringify(preview)}`)
  return preview
}

const changed = (preview: { readonly hunks: readonly { readonly lines: readonly DiffLine[] }[] }) =>
  preview.hunks.flatMap((hunk) => hunk.lines).filter((line) => line.kind !== 'same')

/** Applies a diff to the text it was made from: what a careful reader would do in their head. */
function applyDiff(before: string, preview: Extract<Preview, { kind: 'diff' }>): string[] {
  const old = before === '' ? [] : before.replace(/\n$/, '').split('\n')
  const result: string[] = []
  let at = 0
  for (const hunk of preview.hunks) {
    const start = Math.max(0, hunk.oldStart - 1)
    while (at < start) result.push(old[at++] ?? '')
    for (const line of hunk.lines) {
      if (line.kind !== 'added') expect(old[at++]).toBe(line.text)
      if (line.kind !== 'removed') result.push(line.text)
    }
  }
  return [...result, ...old.slice(at)]
}

describe('the preview of a write', () => {
  const long = Array.from({ length: 200 }, (_, index) => `line ${index + 1}\n`).join('')

  it('shows one added line for one line inserted at the top of 200 (scenario 44, F5)', async () => {
    const preview = await diffOf('write_file', { path: 'a', content: `first\n${long}` }, { a: long })
    expect(changed(preview)).toEqual([{ kind: 'added', text: 'first' }])
    expect(preview).toMatchObject({ change: 'overwrite', added: 1, removed: 0, notes: [] })
    expect(preview.hunks[0]).toMatchObject({ oldStart: 1, newStart: 1 })
    expect(preview.hunks[0]?.lines).toHaveLength(4)
  })

  it('tells a new file from an overwrite, and says when nothing changes (scenario 45)', async () => {
    expect(await diffOf('write_file', { path: 'a', content: 'x\n' })).toMatchObject({ change: 'create', added: 1, removed: 0 })
    expect(await diffOf('write_file', { path: 'a', content: 'x\n' }, { a: 'y\n' })).toMatchObject({ change: 'overwrite', added: 1, removed: 1 })
    const same = await diffOf('write_file', { path: 'a', content: 'x\n' }, { a: 'x\n' })
    expect(same).toMatchObject({ change: 'none', hunks: [], added: 0, removed: 0 })
    expect(same.notes).toEqual(['no changes: the file already holds exactly this'])
  })

  it.each<[string, string | undefined, string, string]>([
    ['a blank line', 'a\nb\n', 'a\n\nb\n', ''],
    ['line endings', 'a\nb\n', 'a\r\nb\r\n', 'line endings change from LF to CRLF'],
    ['some line endings', 'a\r\nb\r\n', 'a\nb\r\n', 'line endings change from CRLF to mixed'],
    ['a lost last newline', 'a\n', 'a', 'the new text has no newline at its end'],
    ['a gained last newline', 'a', 'a\n', 'a newline is added at the end'],
    ['a new file without one', undefined, 'a', 'the new text has no newline at its end'],
    ['emptying', 'a\nb\n', '', 'the file is emptied of its 2 lines'],
  ])('shows a change of %s (scenario 44)', async (_, before, after, note) => {
    const preview = await diffOf('write_file', { path: 'f', content: after }, before === undefined ? {} : { f: before })
    expect(changed(preview).length).toBeGreaterThan(0)
    if (note !== '') expect(preview.notes).toContain(note)
  })

  it('keeps the CR of a changed line in its text', async () => {
    const preview = await diffOf('write_file', { path: 'f', content: 'a\r\n' }, { f: 'a\n' })
    expect(changed(preview)).toEqual([{ kind: 'removed', text: 'a' }, { kind: 'added', text: 'a\r' }])
  })

  it('applied to the old text gives the new one (A8)', async () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '', '\\ x', '+', '-'), { maxLength: 12 }).map((lines) => lines.map((line) => `${line}\n`).join(''))
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const preview = await diffOf('write_file', { path: 'f', content: after }, { f: before })
        expect(applyDiff(before, preview)).toEqual(after === '' ? [] : after.replace(/\n$/, '').split('\n'))
      }),
      { numRuns: 300 },
    )
  })

  it('cuts a huge diff in the middle and says how much is missing', async () => {
    const content = Array.from({ length: 5000 }, (_, index) => `${index}\n`).join('')
    const preview = await diffOf('write_file', { path: 'f', content })
    const lines = changed(preview)
    expect(lines).toHaveLength(2000)
    expect(lines.at(-1)).toEqual({ kind: 'added', text: '4999' })
    expect(preview.hunks.map((hunk) => hunk.newStart)).toEqual([1, 4501])
    expect(preview.added).toBe(5000)
    expect(preview.notes).toContain('3000 more lines in the middle are not shown here; the full arguments hold them')
  })

  it('cuts a huge line with its length, never inside a character', async () => {
    const preview = await diffOf('write_file', { path: 'f', content: `${'x'.repeat(3999)}😀${'y'.repeat(50_000)}\n` })
    const text = changed(preview)[0]?.text ?? ''
    expect(text.isWellFormed()).toBe(true)
    expect(text).toMatch(/… \(50002 more characters\)$/)
    expect(preview.notes.join()).toContain('1 lines are longer than 4000 characters')
  })

  it('compares texts that share nothing without getting lost', async () => {
    const lines = (mark: string) => Array.from({ length: 1500 }, (_, index) => `${mark}${index}\n`).join('')
    const preview = await diffOf('write_file', { path: 'f', content: `same\n${lines('b')}end\n` }, { f: `same\n${lines('a')}end\n` })
    expect(preview).toMatchObject({ added: 1500, removed: 1500 })
    expect(preview.hunks[0]).toMatchObject({ oldStart: 2, newStart: 2 })
    expect(preview.notes[0]).toContain('differ too much')
  })

  it.each<[string, object, string]>([
    ['a binary or large file', { f: { type: 'file' } }, 'binary, larger than 1 MiB or unreadable'],
    ['a folder', { f: { type: 'directory' } }, 'is a folder'],
  ])('shows the arguments with a note for %s', async (_, files, note) => {
    const preview = await buildPreview(call('write_file', { path: 'f', content: 'x' }), calm, targets(files as never))
    expect(preview).toMatchObject({ kind: 'json', value: { path: 'f', content: 'x' } })
    expect(JSON.stringify(preview)).toContain(note)
  })

  it('never hands a path with a NUL to the file system', async () => {
    const touchy: Targets = { ...targets({}), readText: () => Promise.reject(new Error('touched')) }
    const preview = await buildPreview(call('write_file', { path: 'a\0b', content: 'x' }), calm, touchy)
    expect(preview).toMatchObject({ kind: 'json', notes: [expect.stringContaining('NUL')] })
  })

  it('appends where the arguments say so', async () => {
    expect(changed(await diffOf('write_file', { path: 'f', content: 'b\n', mode: 'append' }, { f: 'a\n' }))).toEqual([{ kind: 'added', text: 'b' }])
  })

  it('calls a guess a guess', async () => {
    const preview = await buildPreview(call('write_file', { path: 'f', content: 'b\n' }, 'server'), calm, targets({}))
    expect(preview).toMatchObject({ kind: 'diff', notes: ['this is a guess at what the tool does with these arguments'] })
  })
})

describe('the preview of an edit', () => {
  const file = { f: 'one\ntwo\ntwo\n' }

  it.each<[string, string, object, readonly DiffLine[]]>([
    ['Edit', 'one place', { file_path: 'f', old_string: 'one', new_string: '$& $1' }, [{ kind: 'removed', text: 'one' }, { kind: 'added', text: '$& $1' }]],
    ['Edit', 'all places', { file_path: 'f', old_string: 'two\n', new_string: '', replace_all: true }, [{ kind: 'removed', text: 'two' }, { kind: 'removed', text: 'two' }]],
    ['replace', 'an expected number', { file_path: 'f', old_string: 'two\n', new_string: '', expected_replacements: 2 }, [{ kind: 'removed', text: 'two' }, { kind: 'removed', text: 'two' }]],
    ['replace_string_in_file', 'camel case', { filePath: 'f', oldString: 'one\n', newString: '' }, [{ kind: 'removed', text: 'one' }]],
    ['MultiEdit', 'several edits in order', { file_path: 'f', edits: [{ old_string: 'one', new_string: '1' }, { old_string: '1\n', new_string: '' }] }, [{ kind: 'removed', text: 'one' }]],
    ['apply_patch', 'a marked patch', { input: '*** Begin Patch\n*** Update File: f\n@@\n-one\n+1\n two\n*** End Patch\n' }, [{ kind: 'removed', text: 'one' }, { kind: 'added', text: '1' }]],
    ['apply_patch', 'an anchored patch', { input: '*** Begin Patch\n*** Update File: f\n@@ two\n-two\n+2\n*** End Patch' }, [{ kind: 'removed', text: 'two' }, { kind: 'added', text: '2' }]],
    ['apply_diff', 'a unified diff', { path: 'f', diff: '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n' }, [{ kind: 'removed', text: 'one' }, { kind: 'added', text: '1' }]],
    ['apply_diff', 'search and replace', { path: 'f', diff: '<<<<<<< SEARCH\n:start_line:1\n-------\none\n=======\n1\n>>>>>>> REPLACE\n' }, [{ kind: 'removed', text: 'one' }, { kind: 'added', text: '1' }]],
  ])('shows with %s %s', async (tool, _, args, lines) => {
    expect(changed(await diffOf(tool, args, file))).toEqual(lines)
  })

  it.each<[string, string, object, string]>([
    ['Edit', 'text that is not there', { file_path: 'f', old_string: 'three', new_string: '' }, 'its old text is not in the file'],
    ['Edit', 'a file that is not there', { file_path: 'g', old_string: 'x', new_string: '' }, 'the file does not exist'],
    ['Edit', 'no text in a full file', { file_path: 'f', old_string: '', new_string: 'x' }, 'names no text to replace'],
    ['MultiEdit', 'a second edit', { file_path: 'f', edits: [{ old_string: 'one', new_string: '' }, { old_string: 'one', new_string: '' }] }, 'edit 2 would fail'],
    ['apply_diff', 'a patch that does not fit', { path: 'f', diff: '--- a/f\n+++ b/f\n@@ -1 +1 @@\n-three\n+3\n' }, 'does not fit'],
  ])('says that %s would fail on %s', async (tool, _, args, note) => {
    const preview = await diffOf(tool, args, file)
    expect(preview).toMatchObject({ change: 'none', hunks: [] })
    expect(preview.notes.join()).toContain(note)
  })

  it('notes that an old text occurs more than once', async () => {
    const preview = await diffOf('Edit', { file_path: 'f', old_string: 'two', new_string: '2' }, file)
    expect(preview.notes.join()).toContain('occurs 2 times')
  })

  it('creates a file from an edit of nothing, and from a patch', async () => {
    expect(await diffOf('Edit', { file_path: 'g', old_string: '', new_string: 'x\n' })).toMatchObject({ change: 'create', added: 1 })
    expect(await diffOf('apply_patch', { input: '*** Begin Patch\n*** Add File: g\n+x\n+y\n*** End Patch' })).toMatchObject({ change: 'create', added: 2, notes: [] })
  })

  it.each<[string, string, object]>([
    ['Write', 'both content and an edit', { file_path: 'f', content: 'x', old_string: 'one', new_string: '' }],
    ['write_file', 'part of a file', { path: 'f', content: 'x', start_line: 2 }],
    ['NotebookEdit', 'a cell', { notebook_path: 'f', cell_id: '1', new_source: 'x' }],
    ['apply_patch', 'several files', { input: '*** Begin Patch\n*** Update File: f\n@@\n-one\n+1\n*** Update File: g\n@@\n-a\n+b\n*** End Patch' }],
    ['apply_patch', 'lines without a place', { input: '*** Begin Patch\n*** Update File: f\n@@\n+1\n*** End Patch' }],
    ['create_directory', 'a folder', { path: 'd' }],
  ])('shows the arguments of %s for %s', async (tool, _, args) => {
    expect(await buildPreview(call(tool, args), calm, targets(file))).toMatchObject({ kind: 'json', value: args })
  })
})

describe('other previews', () => {
  it('shows what a delete takes away', async () => {
    const preview = await diffOf('delete_file', { path: 'f' }, { f: 'a\nb\n' })
    expect(preview).toMatchObject({ change: 'delete', removed: 2, added: 0 })
    expect(await buildPreview(call('delete_file', { path: 'g' }), calm, targets({}))).toMatchObject({ kind: 'json', notes: ['nothing is at `g`'] })
    expect(await buildPreview(call('delete_file', { path: 'd' }), calm, targets({ d: { type: 'directory' } }))).toMatchObject({ notes: ['`d` is a folder'] })
    expect(await buildPreview(call('delete_file', { paths: ['a', 'b'] }), calm, targets({}))).toMatchObject({ notes: ['deletes from 2 places: `a`, `b`'] })
  })

  const part = (text: string, program: string): CommandPart => ({
    program,
    path: program,
    args: [],
    assignments: [],
    redirections: [],
    via: ['sudo'],
    cwd: null,
    stdin: { kind: 'none' },
    text,
    span: { start: 0, end: text.length },
  })

  it('shows every part of a command with its level and writes', async () => {
    const risk: RiskReport = {
      ...calm,
      level: 'critical',
      parts: [
        { command: part('git status', 'git'), level: 'none', paths: [] },
        { command: part('rm -rf ~', 'rm'), level: 'critical', paths: [{ given: '~', real: '/h', use: 'delete' }, { given: 'x', real: '/x', use: 'read' }] },
      ],
    }
    expect(await buildPreview(call('Bash', { command: 'git status; rm -rf ~' }), risk, targets({}))).toEqual({
      kind: 'command',
      command: 'git status; rm -rf ~',
      parts: [
        { text: 'git status', program: 'git', via: ['sudo'], level: 'none', writes: [] },
        { text: 'rm -rf ~', program: 'rm', via: ['sudo'], level: 'critical', writes: ['~'] },
      ],
      problems: [],
    })
  })

  it('says what of a command was not understood, and how many parts are not listed', async () => {
    const risk: RiskReport = {
      ...calm,
      understood: false,
      reasons: [{ level: 'high', rule: 'shell.unparsed', text: 'a quote is not closed' }],
      parts: Array.from({ length: 250 }, () => ({ command: part('ls', 'ls'), level: 'none' as const, paths: [] })),
    }
    const preview = await buildPreview(call('Bash', { command: 'ls "' }), risk, targets({}))
    expect(preview).toMatchObject({
      problems: [
        'this command could not be fully understood: judge it by its whole text',
        'a quote is not closed',
        '50 more commands are not listed; the whole text holds them',
      ],
    })
  })

  it('shows the arguments of everything else (scenario 36, F2)', async () => {
    expect(await buildPreview(call('frobnicate', { a: [1] }), calm, targets({}))).toEqual({ kind: 'json', value: { a: [1] } })
    expect(await buildPreview(call('frobnicate', {}), calm, targets({}))).toEqual({ kind: 'json', value: {} })
  })

  it.each<[string, unknown]>([
    ['an error', new Error('disk on fire')],
    ['a text', 'oops \ud800'],
    ['something that cannot be read', { toString: () => { throw new Error('no') } }],
  ])('shows %s while building beside the raw arguments (scenario 35, F1)', async (_, thrown) => {
    const broken: Targets = { ...targets({}), readText: () => Promise.reject(thrown) }
    const preview = await buildPreview(call('write_file', { path: 'f', content: 'x' }), calm, broken)
    expect(preview).toMatchObject({ kind: 'failed', value: { path: 'f', content: 'x' } })
    expect(() => JSON.parse(canonicalJson(preview as unknown as Json))).not.toThrow()
    expect(JSON.stringify(preview)).toContain('the preview failed')
  })

  it('freezes a tool’s own preview and shows its failure', async () => {
    const it = call('x', { a: 1 })
    expect(await customPreview(it, (args) => ({ twice: [args['a'] ?? null] }))).toEqual({ kind: 'json', value: { preview: { twice: [1] }, args: { a: 1 } } })
    expect(await customPreview(it, () => Promise.reject(new Error('no')))).toMatchObject({ kind: 'failed', value: { a: 1 } })
    expect(await customPreview(it, (() => ({ f: () => 1 })) as never)).toMatchObject({ kind: 'failed', error: expect.stringContaining('`preview.f`') })
  })

  it('is plain JSON for any arguments, and never throws', async () => {
    const tools = fc.constantFrom('Write', 'Edit', 'MultiEdit', 'apply_patch', 'apply_diff', 'Bash', 'delete_file', 'move', 'unknown')
    const keys = fc.constantFrom('path', 'file_path', 'content', 'old_string', 'new_string', 'edits', 'input', 'diff', 'command', 'x')
    const values = fc.oneof(fc.string(), fc.constantFrom('f', 'one', '*** Begin Patch\n*** Update File: f\n', '--- a/f\n+++ b/f\n@@ -1 +1 @@\n', '@@ -1,9 +1 @@'), fc.jsonValue({ maxDepth: 2 }))
    await fc.assert(
      fc.asyncProperty(tools, fc.dictionary(keys, values), async (tool, args) => {
        fc.pre(!/__proto__|constructor|prototype|e\+|\d{16}/.test(JSON.stringify(args)))
        const preview = await buildPreview(call(tool, args), calm, targets({ f: 'one\n' }))
        expect(JSON.parse(canonicalJson(preview as unknown as Json))).toEqual(preview)
      }),
      { numRuns: 400 },
    )
  })
})
