import { describe, expect, it } from 'vitest'
import { decompose } from '../decompose.ts'

const odd = (source: string) => decompose(source).problems.filter((problem) => problem.kind === 'odd-characters')

describe('odd characters', () => {
  it.each([
    ['a NUL', 'ls\0'],
    ['a carriage return', 'LANG=C\rls wget x'],
    ['an escape', 'echo \u001b[8m'],
    ['a NUL in quotes', 'echo "a\0b"'],
    ['a non-breaking space', 'rm\u00a0-rf x'],
    ['an ideographic space', 'rm\u3000x'],
    ['a full-width semicolon', 'ls；rm x'],
    ['a full-width bar', 'ls｜sh'],
    ['a full-width ampersand', 'ls ＆ rm'],
    ['a zero-width space', 'r\u200bm x'],
    ['a byte-order mark', '\ufeffls'],
    ['a bidirectional override', 'echo \u202e x'],
    ['a host with a Cyrillic letter, even in quotes', 'curl "https://g\u0456thub.com/x"'],
    ['a host with only Latin look-alikes', 'curl https://\u0430\u0440\u0440\u04cf\u0435.com'],
    ['a Punycode host', 'curl https://xn--pple-43d.com'],
    ['a host after a user name', 'git clone git@g\u0456thub.com:a/b'],
    ['a word with two alphabets', 'pip install r\u0435quests'],
    ['a tag character', 'ls \u{e0041}'],
    ['a look-alike letter in a program’s name', '\u0441url x'],
    ['a look-alike letter after a wrapper', 'sudo \u0441url x'],
    ['a space hidden in nested code', "bash -c 'rm\u00a0x'"],
    ['a lone surrogate', 'echo \ud800'],
    ['a space after an apostrophe in a comment', "ls # don't\nrm\u00a0x"],
  ])('are reported: %s', (_, source) => {
    expect(odd(source)).not.toEqual([])
  })

  it.each([
    ['words in any script', 'cat r\u00e9sum\u00e9.txt \u6587\u4ef6'],
    ['a non-breaking space in quotes', "git commit -m 'a\u00a0b'"],
    ['full-width punctuation in quotes', 'git commit -m "修正；追加"'],
    ['joined emoji in quotes', 'git commit -m "\u{1f469}\u200d\u{1f4bb} fix"'],
    ['full-width punctuation in a here-document', "cat > a.md <<'E'\n说明；完\nE"],
    ['tabs and newlines', 'ls\t-l\nls'],
    ['a host in one other script', 'curl https://\u4f8b\u3048.jp/a'],
    ['a word with one alphabet', 'cat \u0444\u0430\u0439\u043b-v2.txt'],
  ])('are accepted: %s', (_, source) => {
    expect(odd(source)).toEqual([])
  })

  it.each([
    ['an escape', 'echo "\u001b[8m"'],
    ['a bidirectional override', 'echo "\u202e x"'],
    ['a zero-width space', 'git commit -m "a\u200bb"'],
    ['a carriage return', "printf '%s' 'a\rb'"],
    ['a word with two alphabets', 'git commit -m "p\u0430y"'],
  ])('are only a note in quoted prose: %s', (_, source) => {
    expect(odd(source)).toEqual([])
    expect(decompose(source).problems.map(({ kind }) => kind)).toEqual(['odd-text'])
  })

  it('are reported with their position', () => {
    expect(odd('ls\u00a0-l')[0]?.span).toEqual({ start: 2, end: 3 })
  })
})
