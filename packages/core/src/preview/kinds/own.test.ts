import { frozenCall } from '@countersign/testing/gate/memory-targets'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../call/json/json.ts'
import type { OwnPart } from '../model/own-preview.ts'
import { ownPreview } from './own.ts'

function parts(given: Json): readonly OwnPart[] {
  const preview = ownPreview(frozenCall('x', {}), given)
  return preview.kind === 'own' ? preview.parts : []
}

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const JPEG = btoa('\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x0b\x08\0\x10\0\x20\x01\x01\x11\0')
const IMAGES = [
  ['image/png', PNG, 1, 1],
  ['image/gif', 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 1, 1],
  ['image/webp', 'UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=', 1, 1],
  ['image/jpeg', JPEG, 32, 16],
] as const

describe('a tool’s own preview', () => {
  it.each<[string, Json, object]>([
    ['a text', 'two\nlines', { kind: 'text', text: 'two\nlines' }],
    ['{ text }', { text: 'hi' }, { kind: 'text', text: 'hi' }],
    ['a text block of a server', { type: 'text', text: 'hi' }, { kind: 'text', text: 'hi' }],
    [
      '{ fields }',
      { fields: { To: 'ana', n: 2 } },
      {
        kind: 'fields',
        fields: [
          { name: 'To', value: 'ana' },
          { name: 'n', value: 2 },
        ],
      },
    ],
    [
      'a table',
      { table: { columns: ['a'], rows: [['1'], [2]] } },
      { kind: 'table', columns: ['a'], rows: [['1'], ['2']] },
    ],
    [
      'a table of objects',
      { table: [{ a: 1 }, { b: null }] },
      {
        kind: 'table',
        columns: ['a', 'b'],
        rows: [
          ['1', ''],
          ['', 'null'],
        ],
      },
    ],
    ['{ json }', { json: [1] }, { kind: 'json', value: [1] }],
    ['other data', { twice: [1] }, { kind: 'json', value: { twice: [1] } }],
    ['a list of numbers', [1, 2], { kind: 'json', value: [1, 2] }],
    ['a list of strings', ['a', 'b'], { kind: 'json', value: ['a', 'b'] }],
    ['two kinds in one', { text: 'a', json: 1 }, { kind: 'json', value: { text: 'a', json: 1 } }],
    ['a table that is none', { table: 'x' }, { kind: 'json', value: { table: 'x' } }],
  ])('may be %s', (_, given, expected) => {
    expect(parts(given)).toMatchObject([expected])
  })

  it('may be a unified diff, drawn file by file', () => {
    const diff =
      '--- a/one.txt\n+++ b/one.txt\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n--- /dev/null\n+++ b/two.txt\n@@ -0,0 +1 @@\n+made\n'
    for (const given of [diff, { diff }])
      expect(parts(given)).toMatchObject([
        { kind: 'diff', path: 'one.txt', change: 'overwrite', added: 1, removed: 1, hunks: [{ oldStart: 1 }] },
        { kind: 'diff', path: 'two.txt', change: 'create', added: 1, removed: 0 },
      ])
  })

  it('shows a diff with wrong counts as the text that it is', () => {
    expect(parts('--- a/x\n+++ b/x\n@@ -1,9 +1 @@\n-a\n+b\n')).toMatchObject([{ kind: 'text' }])
  })

  it('compares two texts of a file', () => {
    expect(parts({ diff: { path: 'a', before: 'x\n', after: 'y\n' } })).toMatchObject([
      { kind: 'diff', change: 'overwrite', added: 1 },
    ])
    expect(parts({ diff: { path: 'a', before: null, after: 'y\n' } })).toMatchObject([{ change: 'create' }])
    expect(parts({ diff: { path: 'a', before: 'x\n' } })).toMatchObject([{ change: 'delete', removed: 1 }])
  })

  it.each(IMAGES)('may be an image: %s, with type and size read from its bytes', (type, data, width, height) => {
    expect(parts({ image: data, alt: 'a plan' })).toMatchObject([
      { kind: 'image', type, data, width, height, alt: 'a plan' },
    ])
    expect(parts({ image: `data:image/svg+xml;base64,${data}` })).toMatchObject([{ kind: 'image', type }])
    expect(parts({ type: 'image', data, mimeType: 'text/html' })).toMatchObject([{ kind: 'image', type }])
  })

  it.each([
    ['an SVG', btoa('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a URL', 'https://evil.example/x.png'],
    ['too large a canvas', btoa(`${atob(PNG).slice(0, 16)}\0\0\xff\xff\0\0\xff\xff${atob(PNG).slice(24)}`)],
    ['too many bytes', btoa(atob(PNG) + 'x'.repeat(600_000))],
  ])('refuses %s as an image', (_, image) => {
    expect(parts({ image })).toMatchObject([{ kind: 'text', text: expect.stringContaining('can’t be shown') }])
  })

  it('may have several parts, up to a bound, and says what is left out', () => {
    expect(parts([{ text: 'a' }, 'b', { json: 1 }]).map(({ kind }) => kind)).toEqual(['text', 'text', 'json'])
    const many = ownPreview(
      frozenCall('x', {}),
      Array.from({ length: 60 }, () => ({ text: 'a' })),
    )
    expect(many).toMatchObject({ notes: expect.arrayContaining(['10 more parts not shown']) })
    expect(parts({ table: Array.from({ length: 300 }, () => ({ a: 'x'.repeat(500) })) })).toMatchObject([
      { moreRows: 100, rows: expect.arrayContaining([[expect.stringContaining('(100 more characters)')]]) },
    ])
  })
})
