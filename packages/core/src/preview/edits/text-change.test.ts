import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../call/json/json.ts'
import { changeText } from './text-change.ts'

const current = 'one\ntwo\ntwo\n'
const marked = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n')

describe('the text after an edit', () => {
  it.each<[string, JsonObject, string]>([
    ['a full write', { content: 'x' }, 'x'],
    ['an append', { content: 'x\n', mode: 'append' }, 'one\ntwo\ntwo\nx\n'],
    ['one replacement', { old_string: 'one', new_string: '$& $1' }, '$& $1\ntwo\ntwo\n'],
    ['all replacements', { old_string: 'two\n', new_string: '', replace_all: true }, 'one\n'],
    ['the expected number of replacements', { old_string: 'two\n', new_string: '', expected_replacements: 2 }, 'one\n'],
    ['camel-case names', { oldString: 'one\n', newString: '' }, 'two\ntwo\n'],
    ['short names', { old_str: 'one', new_str: '1' }, '1\ntwo\ntwo\n'],
    [
      'several edits in order',
      {
        edits: [
          { old_string: 'one', new_string: '1' },
          { old_string: '1\n', new_string: '' },
        ],
      },
      'two\ntwo\n',
    ],
    ['edits in MCP servers’ format', { edits: [{ oldText: 'one', newText: '1' }] }, '1\ntwo\ntwo\n'],
    ['a marked patch', { input: marked('*** Update File: f', '@@', '-one', '+1', ' two') }, '1\ntwo\ntwo\n'],
    [
      'a marked patch with two hunks',
      { input: marked('*** Update File: f', '@@', '-one', '+1', '@@', '-two', '-two') },
      '1\n',
    ],
    ['an anchored patch', { input: marked('*** Update File: f', '@@ two', '-two', '+2') }, 'one\ntwo\n2\n'],
    ['a new file in a marked patch', { input: marked('*** Add File: g', '+x', '+', '+y') }, 'x\n\ny\n'],
    ['a unified diff', { diff: '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n' }, '1\ntwo\ntwo\n'],
    [
      'search and replace',
      { diff: '<<<<<<< SEARCH\n:start_line:1\n-------\none\n=======\n1\n>>>>>>> REPLACE\n' },
      '1\ntwo\ntwo\n',
    ],
  ])('is known for %s', (_, args, text) => {
    expect(changeText(args, current)).toEqual({ kind: 'text', text, notes: [] })
  })

  it('is known for a file that does not exist yet', () => {
    expect(changeText({ old_string: '', new_string: 'x\n' }, undefined)).toEqual({
      kind: 'text',
      text: 'x\n',
      notes: [],
    })
    expect(changeText({ content: 'x', append: true }, undefined)).toEqual({ kind: 'text', text: 'x', notes: [] })
  })

  it.each<[string, JsonObject, string | undefined, string]>([
    [
      'missing text',
      { old_string: 'three', new_string: '' },
      current,
      'the edit would fail: its old text is not in the file',
    ],
    ['a missing file', { old_string: 'x', new_string: '' }, undefined, 'the edit would fail: the file does not exist'],
    [
      'an empty search text in a file with content',
      { old_string: '', new_string: 'x' },
      current,
      'the edit would fail: it has no text to replace and the file is not empty',
    ],
    [
      'its second edit',
      {
        edits: [
          { old_string: 'one', new_string: '' },
          { old_string: 'one', new_string: '' },
        ],
      },
      current,
      'edit 2 would fail: its old text is not in the file',
    ],
    [
      'a patch that does not apply',
      { diff: '--- a/f\n+++ b/f\n@@ -1 +1 @@\n-three\n+3\n' },
      current,
      'the patch would fail: it does not match the current file',
    ],
    [
      'a missing anchor',
      { input: marked('*** Update File: f', '@@ nine', '-two') },
      current,
      'the patch would fail: it does not match the current file',
    ],
  ])('is an error if the edit fails on %s', (_, args, text, note) => {
    expect(changeText(args, text)).toEqual({ kind: 'fails', note })
  })

  it('shows the first of several matches, with a note', () => {
    expect(changeText({ old_string: 'two', new_string: '2' }, current)).toEqual({
      kind: 'text',
      text: 'one\n2\ntwo\n',
      notes: [
        'the old text of the edit occurs 2 times: most tools refuse that; the change is shown at the first match',
      ],
    })
  })

  it.each<[string, JsonObject]>([
    ['both content and an edit', { content: 'x', old_string: 'one', new_string: '' }],
    ['an edit without its new text', { old_string: 'one' }],
    ['part of a file', { content: 'x', start_line: 2 }],
    ['a notebook cell', { cell_id: '1', new_source: 'x' }],
    [
      'several files',
      { input: marked('*** Update File: f', '@@', '-one', '+1', '*** Update File: g', '@@', '-a', '+b') },
    ],
    ['a move', { input: marked('*** Update File: f', '*** Move to: g', '@@', '-one', '+1') }],
    ['lines without a position', { input: marked('*** Update File: f', '@@', '+1') }],
    ['an unclosed search block', { diff: '<<<<<<< SEARCH\none\n=======\n1\n' }],
    ['no arguments', {}],
  ])('is unknown for %s', (_, args) => {
    expect(changeText(args, current)).toEqual({ kind: 'unknown' })
  })

  it.each<[string, JsonObject]>([
    ['an edit that grows without bound', { old_string: 'a', new_string: 'x'.repeat(1000), replace_all: true }],
    ['too many edits', { edits: Array.from({ length: 201 }, () => ({ old_string: 'a', new_string: 'a' })) }],
    [
      'a patch that is too costly to match',
      { diff: `--- a/big\n+++ b/big\n@@ -1,5001 +1,5000 @@\n${' a\n'.repeat(5000)}-b\n` },
    ],
  ])('is not computed for %s (A31)', (_, args) => {
    expect(changeText(args, 'a\n'.repeat(100_000))).toEqual({ kind: 'unknown' })
  })
})
