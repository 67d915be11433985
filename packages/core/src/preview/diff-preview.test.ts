import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calmRisk } from '../../../../test/support/calm-risk.ts'
import type { FrozenCall } from '../call/call.ts'
import { freezeCall } from '../call/freeze-call.ts'
import type { Targets } from '../ports/targets.ts'
import { buildPreview } from './build-preview.ts'
import type { DiffLine, Preview } from './preview.ts'

const crypto = { sha256: (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex') }
const calm = calmRisk()

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
    expect(changed(preview)).toEqual([
      { kind: 'removed', text: 'a' },
      { kind: 'added', text: 'a\r' },
    ])
  })

  it('applied to the old text gives the new one (A8)', async () => {
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
    const preview = await diffOf(
      'write_file',
      { path: 'f', content: `same\n${lines('b')}end\n` },
      { f: `same\n${lines('a')}end\n` },
    )
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

  it('never sees a path with a NUL: such a call is refused before anything looks at it', () => {
    expect(() => call('write_file', { path: 'a\0b', content: 'x' })).toThrow('NUL')
  })

  it('appends where the arguments say so', async () => {
    expect(changed(await diffOf('write_file', { path: 'f', content: 'b\n', mode: 'append' }, { f: 'a\n' }))).toEqual([
      { kind: 'added', text: 'b' },
    ])
  })

  it('calls a guess a guess', async () => {
    const preview = await buildPreview(call('write_file', { path: 'f', content: 'b\n' }, 'server'), calm, targets({}))
    expect(preview).toMatchObject({
      kind: 'diff',
      notes: ['this is a guess at what the tool does with these arguments'],
    })
  })

  it('shows the difference that an edit makes', async () => {
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
