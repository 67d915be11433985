import { describe, expect, it } from 'vitest'
import { lookalikeCharacters } from '../knowledge/lookalikes.ts'
import { safeText } from './escape.ts'
import { confusableWords } from './lookalike.ts'
import { findOddCharacters } from './odd-characters.ts'

const { scripts, latin_letters, rare_scripts } = lookalikeCharacters()

describe('confusable words', () => {
  it.each([
    ['curl https://pаypal.com', [{ word: 'pаypal', index: 13 }]],
    ['gοogle ok', [{ word: 'gοogle', index: 0 }]],
    ['русский текст and English', []],
    ['plain', []],
  ])('include the mixed-script words in %j', (text, words) => {
    expect(confusableWords(text)).toEqual(words)
  })

  it.each(scripts)('include every look-alike of $name inside a Latin word', ({ name, lookalikes }) => {
    for (const letter of lookalikes) {
      expect(letter, letter).toMatch(new RegExp(`\\p{Script_Extensions=${name}}`, 'u'))
      expect(safeText(`ab${letter}c`)).toMatch(/^ab⟦U\+[0-9A-F]+⟧c$/)
    }
  })

  it('include Latin look-alikes, and name only scripts that exist', () => {
    for (const letter of latin_letters) expect(safeText(`ab${letter}c`)).toMatch(/^ab⟦U\+[0-9A-F]+⟧c$/)
    for (const name of rare_scripts) expect(() => new RegExp(`\\p{Script=${name}}`, 'u')).not.toThrow()
  })

  it('are found quickly in a text with many words', () => {
    // Scanning the whole text again for each word would take minutes.
    expect(safeText('раз два '.repeat(20_000))).toHaveLength(160_000)
  })

  it('are listed up to a limit', () => {
    expect(confusableWords('aа '.repeat(1000), 5)).toHaveLength(5)
  })
})

describe('odd characters', () => {
  it.each([
    ['\u001b', 'control'],
    ['\r', 'control'],
    ['\u0000', 'control'],
    ['\u202e', 'bidi'],
    ['\u{e0041}', 'tag'],
    ['\ufe0f', 'variation-selector'],
    ['\u{e0100}', 'variation-selector'],
    ['\u200b', 'zero-width'],
    ['\u3164', 'zero-width'],
    ['\u00a0', 'space'],
    ['\u2028', 'space'],
    ['\u2800', 'blank'],
    ['\ue000', 'private-use'],
    ['\ud800', 'surrogate'],
    ['\u0378', 'unassigned'],
    ['；', 'full-width'],
  ])('classify %j as %s', (character, name) => {
    expect(findOddCharacters(`ab${character}`)).toEqual([
      { codePoint: character.codePointAt(0), class: name, index: 2 },
    ])
  })

  it('do not include ordinary text, line breaks and tabs', () => {
    expect(findOddCharacters('ls -la\n\tgrößer 文字 עברית 😀')).toEqual([])
  })

  it('are listed up to a limit', () => {
    expect(findOddCharacters('\u200b'.repeat(1000))).toHaveLength(100)
  })
})
