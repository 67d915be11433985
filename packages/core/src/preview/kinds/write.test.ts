import { calmRisk } from '@countersign/testing/gate/harmless-risk'
import { frozenCall as call, memoryTargets as targets } from '@countersign/testing/gate/memory-targets'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Targets } from '../../ports/targets.ts'
import { buildPreview } from '../build-preview.ts'
import type { DiffLine, Preview } from '../model/preview.ts'

const calm = calmRisk()

async function diffOf(
  tool: string,
  args: object,
  files: Parameters<typeof targets>[0] = {},
): Promise<Extract<Preview, { kind: 'diff' }>> {
  const preview = await buildPreview(call(tool, args), calm, targets(files))
  if (preview.kind !== 'diff') throw new Error(`expected a diff, got ${JSON.stringify(preview)}`)
  return preview
}

const changed = (preview: { readonly hunks: readonly { readonly lines: readonly DiffLine[] }[] }) =>
  preview.hunks.flatMap((hunk) => hunk.lines).filter((line) => line.kind !== 'same')

/** Applies a diff to the text it was made from, as a careful reader would. */
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
  it.each<[string, object, readonly string[]]>([
    ['its content', { content: 'x\n', new_string: 'y', edits: ['z'], note: '--- a\n+++ b' }, ['path', 'content']],
    ['the first content that is a string', { content: 5, text: 'x\n', new_text: 'y' }, ['path', 'text']],
    [
      'both texts of an edit',
      { old_string: 'a', new_string: 'b', insert_text: 'c' },
      ['path', 'old_string', 'new_string'],
    ],
    ['a list of edits', { edits: [{ old_text: 'a', new_text: 'b' }], new_text: 'c' }, ['path', 'edits']],
    ['no list with other fields', { edits: [{ old_text: 'a', new_text: 'b', after: 'c' }] }, ['path']],
    ['nothing, if it would fail', { old_string: 'not there', new_string: 'b' }, []],
  ])('names its source: %s (L5)', async (_, args, drawn) => {
    expect((await diffOf('write_file', { path: 'f', ...args }, { f: 'a\n' })).drawn).toEqual(drawn)
  })

  const long = Array.from({ length: 200 }, (_, index) => `line ${index + 1}\n`).join('')

  it('shows one added line for one line inserted at the top of 200 (scenario 44, F5)', async () => {
    const preview = await diffOf('write_file', { path: 'a', content: `first\n${long}` }, { a: long })
    expect(changed(preview)).toEqual([{ kind: 'added', text: 'first' }])
    expect(preview).toMatchObject({ change: 'overwrite', added: 1, removed: 0, notes: [] })
    expect(preview.hunks[0]).toMatchObject({ oldStart: 1, newStart: 1 })
    expect(preview.hunks[0]?.lines).toHaveLength(4)
  })

  it('distinguishes a new file from an overwrite, and reports no change (scenario 45)', async () => {
    expect(await diffOf('write_file', { path: 'a', content: 'x\n' })).toMatchObject({
      change: 'create',
      added: 1,
      removed: 0,
    })
    expect(await diffOf('write_file', { path: 'a', content: 'x\n' }, { a: 'y\n' })).toMatchObject({
      change: 'overwrite',
      added: 1,
      removed: 1,
    })
    const same = await diffOf('write_file', { path: 'a', content: 'x\n' }, { a: 'x\n' })
    expect(same).toMatchObject({ change: 'none', hunks: [], added: 0, removed: 0 })
    expect(same.notes).toEqual(['no changes: the file already has this content'])
  })

  it.each<[string, string | undefined, string, string]>([
    ['a blank line', 'a\nb\n', 'a\n\nb\n', ''],
    ['line endings', 'a\nb\n', 'a\r\nb\r\n', 'line endings change from LF to CRLF'],
    ['some line endings', 'a\r\nb\r\n', 'a\nb\r\n', 'line endings change from CRLF to mixed'],
    ['a removed final newline', 'a\n', 'a', 'no newline at the end of the new text'],
    ['an added final newline', 'a', 'a\n', 'a newline is added at the end'],
    ['a new file without a final newline', undefined, 'a', 'no newline at the end of the new text'],
    ['a file to empty', 'a\nb\n', '', 'the file becomes empty: it has 2 lines now'],
  ])('shows a change of %s (scenario 44)', async (_, before, after, note) => {
    const preview = await diffOf('write_file', { path: 'f', content: after }, before === undefined ? {} : { f: before })
    expect(changed(preview).length).toBeGreaterThan(0)
    if (note !== '') expect(preview.notes).toContain(note)
  })

  it('keeps the CR of a changed line', async () => {
    const preview = await diffOf('write_file', { path: 'f', content: 'a\r\n' }, { f: 'a\n' })
    expect(changed(preview)).toEqual([
      { kind: 'removed', text: 'a' },
      { kind: 'added', text: 'a\r' },
    ])
  })

  it('applied to the old text produces the new text (A8)', async () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', '', '\\ x', '+', '-'), { maxLength: 12 })
      .map((lines) => lines.map((line) => `${line}\n`).join(''))
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const preview = await diffOf('write_file', { path: 'f', content: after }, { f: before })
        expect(applyDiff(before, preview)).toEqual(after === '' ? [] : after.replace(/\n$/, '').split('\n'))
      }),
      { numRuns: 300 },
    )
  })

  it('cuts a huge diff in the middle and reports how much is missing', async () => {
    const content = Array.from({ length: 5000 }, (_, index) => `${index}\n`).join('')
    const preview = await diffOf('write_file', { path: 'f', content })
    const lines = changed(preview)
    expect(lines).toHaveLength(2000)
    expect(lines.at(-1)).toEqual({ kind: 'added', text: '4999' })
    expect(preview.hunks.map((hunk) => hunk.newStart)).toEqual([1, 4501])
    expect(preview.added).toBe(5000)
    expect(preview.notes).toContain('3,000 more lines in the middle are not shown; see the full arguments')
  })

  it('truncates a huge line with its length, never inside a character', async () => {
    const preview = await diffOf('write_file', { path: 'f', content: `${'x'.repeat(2999)}😀${'y'.repeat(50_000)}\n` })
    const text = changed(preview)[0]?.text ?? ''
    expect(text.isWellFormed()).toBe(true)
    expect(text).toMatch(/… \(\d+ more characters\) …y{1000}$/)
    expect(preview.folded).toBe(1)
    expect(preview.notes.join()).toContain('1 line longer than 4000 characters shortened')
  })

  it('compares texts with no common lines within its limits', async () => {
    const lines = (mark: string) => Array.from({ length: 1500 }, (_, index) => `${mark}${index}\n`).join('')
    const preview = await diffOf(
      'write_file',
      { path: 'f', content: `same\n${lines('b')}end\n` },
      { f: `same\n${lines('a')}end\n` },
    )
    expect(preview).toMatchObject({ added: 1500, removed: 1500 })
    expect(preview.hunks[0]).toMatchObject({ oldStart: 2, newStart: 2 })
    expect(preview.notes[0]).toContain('differ too much')
  })

  it('does not mention a comparison for a long new file', async () => {
    const content = Array.from({ length: 20_001 }, (_, index) => `line ${index}\n`).join('')
    const preview = await diffOf('write_file', { path: 'f', content }, {})
    expect(preview).toMatchObject({ added: 20_001, removed: 0 })
    expect(preview.notes.join()).not.toContain('differ too much')
  })

  it('describes the replaced content if it cannot be compared', async () => {
    const binary = await diffOf('write_file', { path: 'f', content: 'x\n' }, { f: { bytes: 3000 } })
    expect(binary).toMatchObject({
      change: 'overwrite',
      added: 1,
      notes: ['the current content of `f` is binary (2.9 KB)'],
    })
    const large = await diffOf('write_file', { path: 'f', content: 'x\n' }, { f: { bytes: 5_000_000 } })
    expect(large.notes).toEqual(['the current content of `f` is too large to compare (4.8 MB)'])
    const edited = await buildPreview(
      call('Edit', { file_path: 'f', old_string: 'a', new_string: 'b' }),
      calm,
      targets({ f: { bytes: 3000 } }),
    )
    expect(edited).toMatchObject({ kind: 'json', notes: ['the current content of `f` is binary (2.9 KB)'] })
    const folder = call('write_file', { path: 'f', content: 'x' })
    expect(await buildPreview(folder, calm, targets({ f: { type: 'directory' } }))).toMatchObject({
      kind: 'json',
      value: { path: 'f', content: 'x' },
      notes: ['`f` is a folder'],
    })
  })

  it.each<[string, object, object, string[]]>([
    ['a new script', { mode: '755' }, {}, ['mode will be 0755 (executable)']],
    ['a file made executable', { mode: '0755' }, { f: 'b' }, ['mode changes from 0644 to 0755 (becomes executable)']],
    ['the same mode', { mode: 0o644 }, { f: 'b' }, []],
  ])('describes the change of mode: %s (44)', async (_, args, files, notes) => {
    const preview = await diffOf('write_file', { path: 'f', content: 'a\n', ...args }, files as never)
    expect(preview.notes.filter((note) => note.includes('mode'))).toEqual(notes)
  })

  it.each<[string, string, string[], number]>([
    ['binary data', 'AAECAwQ=', ['the content is base64-encoded', 'the new content is binary, 5 bytes'], 0],
    ['text', 'aGkKaG8K', ['the content is base64-encoded'], 2],
  ])('describes base64 content: %s (44)', async (_, content, notes, added) => {
    const preview = await diffOf('write_file', { path: 'f', content, encoding: 'base64' })
    expect(preview).toMatchObject({ change: 'create', notes, added })
  })

  it('shows the target of a link', async () => {
    const files = { f: { type: 'link' as const, leads: '/etc/hosts' } }
    const through: Targets = { ...targets(files), resolve: async (path) => (path === 'f' ? '/etc/hosts' : path) }
    const preview = await buildPreview(call('write_file', { path: 'f', content: 'x\n' }), calm, through)
    expect(preview).toMatchObject({ kind: 'diff', notes: ['`f` is a link: this changes `/etc/hosts`'] })
  })

  it('shows the notebook cell that changes', async () => {
    const notebook = JSON.stringify({
      cells: [
        { id: 'a', source: ['x = 1\n', 'y = 2'] },
        { id: 'b', source: 'z' },
      ],
    })
    const args = { notebook_path: 'n.ipynb', cell_id: 'a', new_source: 'x = 1\ny = 3' }
    const preview = await diffOf('NotebookEdit', args, { 'n.ipynb': notebook })
    expect(changed(preview)).toEqual([
      { kind: 'removed', text: 'y = 2' },
      { kind: 'added', text: 'y = 3' },
    ])
    expect(preview.notes[0]).toBe('replaces cell 1 of 2; line numbers are within the cell')
    const none = await diffOf('NotebookEdit', { ...args, cell_id: 'q' }, { 'n.ipynb': notebook })
    expect(none.notes).toEqual(['the edit would fail: the notebook has no such cell'])
  })

  it('never gets a path with a NUL: the call is refused earlier', () => {
    expect(() => call('write_file', { path: 'a\0b', content: 'x' })).toThrow('NUL')
  })

  it('shows an append if the arguments request it', async () => {
    expect(changed(await diffOf('write_file', { path: 'f', content: 'b\n', mode: 'append' }, { f: 'a\n' }))).toEqual([
      { kind: 'added', text: 'b' },
    ])
  })

  it('marks a guess as a guess', async () => {
    const preview = await buildPreview(call('write_file', { path: 'f', content: 'b\n' }, 'server'), calm, targets({}))
    expect(preview).toMatchObject({
      kind: 'diff',
      notes: ['this is a guess at what the tool does with these arguments'],
    })
  })

  it('shows the diff of an edit', async () => {
    const preview = await diffOf('Edit', { file_path: 'f', old_string: 'b', new_string: 'B' }, { f: 'a\nb\nc\n' })
    expect(changed(preview)).toEqual([
      { kind: 'removed', text: 'b' },
      { kind: 'added', text: 'B' },
    ])
    const failing = await diffOf('Edit', { file_path: 'f', old_string: 'x', new_string: '' }, { f: 'a\n' })
    expect(failing).toMatchObject({
      change: 'none',
      hunks: [],
      notes: ['the edit would fail: its old text is not in the file'],
    })
  })
})
