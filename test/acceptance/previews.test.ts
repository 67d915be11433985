import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DiffPreview } from '@countersign/core'
import { onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { settled } from '@countersign/testing/simulated-clock'
import { afterEach, describe, expect, it } from 'vitest'

let world: World
afterEach(() => world.close())

/** The preview of a write to `f` whose current content is `before`. */
async function pictureOf(before: string | Uint8Array | null, args: object, mode = 0o644): Promise<DiffPreview> {
  world = await openWorld({ policy: 'version: 1\nrules:\n  - { id: all, kind: write, supervision: confirm }\n' })
  const path = join(world.workspace, 'f')
  if (before !== null) writeFileSync(path, before)
  if (before !== null) chmodSync(path, mode)
  const leaving = new AbortController()
  const result = world.gate.ask({ tool: 'write_file', args: { path: 'f', ...args } }, leaving.signal)
  const { preview } = await onlyHeld(world)
  leaving.abort()
  await result
  if (preview.kind !== 'diff') throw new Error(`no diff: ${JSON.stringify(preview)}`)
  return preview
}

const changed = ({ hunks }: DiffPreview) => hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind !== 'same'))

describe('previews', () => {
  it('44: inserting one line at the top shows one added line', async () => {
    const shown = await pictureOf('a\nb\nc\n', { content: 'new\na\nb\nc\n' })
    expect(changed(shown)).toEqual([{ kind: 'added', text: 'new' }])
    expect(shown).toMatchObject({ added: 1, removed: 0, notes: [] })
  })

  it.each<[string, string | Uint8Array | null, object, string]>([
    ['a line ending', 'a\nb\n', { content: 'a\r\nb\r\n' }, 'line endings change from LF to CRLF'],
    ['the final newline', 'a\n', { content: 'a' }, 'no newline at the end of the new text'],
    ['a mode', 'a\n', { content: 'b\n', mode: '755' }, 'mode changes from 0644 to 0755 (becomes executable)'],
    ['only a mode', 'a\n', { content: 'a\n', mode: '755' }, 'mode changes from 0644 to 0755 (becomes executable)'],
    [
      'binary content before',
      new Uint8Array([0, 1, 2]),
      { content: 'a\n' },
      'the current content of `f` is binary (3 bytes)',
    ],
    ['binary content after', 'a\n', { content: 'AAEC', encoding: 'base64' }, 'the new content is binary, 3 bytes'],
  ])('44: a change of %s is described in words', async (_, before, args, note) => {
    expect((await pictureOf(before, args)).notes).toContain(note)
  })

  it('44: a blank line counts as a change', async () => {
    expect(changed(await pictureOf('a\nb\n', { content: 'a\n\nb\n' }))).toEqual([{ kind: 'added', text: '' }])
  })

  it('45: distinguishes a new file, an overwrite and a write without changes', async () => {
    expect((await pictureOf(null, { content: 'a\n' })).change).toBe('create')
    await world.close()
    expect((await pictureOf('b\n', { content: 'a\n' })).change).toBe('overwrite')
    await world.close()
    expect(await pictureOf('a\n', { content: 'a\n' })).toMatchObject({
      change: 'none',
      hunks: [],
      notes: ['no changes: the file already has this content'],
    })
  })

  it.each<[string, () => never, string]>([
    ['never answers', () => new Promise(() => {}) as never, 'did not answer'],
    ['is not JSON', () => (() => 1) as never, '`preview`'],
    ['is huge', () => 'x'.repeat(3_000_000) as never, 'preview'],
  ])(
    '35: a tool’s own preview that %s leaves the call held with its arguments and the error',
    async (_, own, error) => {
      world = await openWorld()
      const tool = world.gate.wrap(
        { name: 'deploy_site', run: () => 'ran' },
        { preview: own, describe: () => ({ kind: 'send' }) },
      )
      const result = tool({ n: 1 })
      await settled()
      await world.clock.advance(5_000)
      const view = await onlyHeld(world)
      expect(view.preview).toMatchObject({ kind: 'failed', value: { n: 1 }, error: expect.stringContaining(error) })
      await world.decide(view, { kind: 'reject' })
      expect(await result).toMatchObject({ kind: 'refusal', outcome: 'rejected' })
    },
  )
})
