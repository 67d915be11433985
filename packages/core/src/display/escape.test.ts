import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type SafeText, safeJson, safeLines, safeText } from './escape.ts'

const CONTROLS =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(
    ' ',
  )

/** The original of a safe text: proves that `safeText` is reversible. */
function unsafeText(safe: SafeText): string {
  return safe
    .replace(/⟦(?:RTL|LTR)⟧/g, '')
    .replace(/⟦(?:U\+([0-9A-F]+)|([A-Z0-9]+))⟧|⏎|⇥/g, (sign, hex?: string, name?: string) => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
      if (name === 'DEL') return '\x7f'
      if (name !== undefined) return CONTROLS.includes(name) ? String.fromCharCode(CONTROLS.indexOf(name)) : sign
      return sign === '⏎' ? '\n' : '\t'
    })
}

/** Written independently of the implementation: letters, numbers, punctuation, symbols, the space, and marks on a letter. */
const SHOWABLE = /^(?:[\p{L}\p{N}\p{P}\p{S} ]\p{M}{0,2})*$/u
const INVISIBLE =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Variation_Selector}\u00a0\u2000-\u200f\u2800\u3000]/u

const ONE_MARK = /^(?:⟦(?:U\+[0-9A-F]{4,6}|[A-Z0-9]{2,3})⟧|⏎|⇥|⟦RTL⟧.⟦LTR⟧)$/u

/** Scripts that are written from right to left, by name: the implementation lists blocks. */
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}\p{Script=Mende_Kikakui}\p{Script=Phoenician}\p{Script=Imperial_Aramaic}\p{Script=Avestan}\p{Script=Old_Turkic}\p{Script=Yezidi}\p{Script=Old_Hungarian}]/u

const PATIENCE_MS = 60_000

describe('safe text', () => {
  it.each([
    ['plain ASCII ~!@#', 'plain ASCII ~!@#'],
    ['größe 文字 русский ελληνικά 😀', 'größe 文字 русский ελληνικά 😀'],
    ['\u001b[8mhidden\u001b[0m', '⟦ESC⟧[8mhidden⟦ESC⟧[0m'],
    ['\u001b]8;;https://evil\u0007ok\u001b]8;;\u0007', '⟦ESC⟧]8;;https://evil⟦BEL⟧ok⟦ESC⟧]8;;⟦BEL⟧'],
    ['\u009b2J', '⟦U+009B⟧2J'],
    ['safe\rrm -rf ~', 'safe⟦CR⟧rm -rf ~'],
    ['a\bb\x7f\0', 'a⟦BS⟧b⟦DEL⟧⟦NUL⟧'],
    ['a\tb\nc', 'a⇥b⏎c'],
    ['⇥⏎⟦ESC⟧', '⟦U+21E5⟧⟦U+23CE⟧⟦U+27E6⟧ESC⟦U+27E7⟧'],
    ['user\u202etxt.exe', 'user⟦U+202E⟧txt.exe'],
    ['\u2066x\u2069', '⟦U+2066⟧x⟦U+2069⟧'],
    ['r\u200bm', 'r⟦U+200B⟧m'],
    ['a\u00a0b\u3000c\u2003', 'a⟦U+00A0⟧b⟦U+3000⟧c⟦U+2003⟧'],
    ['\u{e0041}\u{e0100}\ufe0f', '⟦U+E0041⟧⟦U+E0100⟧⟦U+FE0F⟧'],
    ['\u{1d173}\u{1bca0}\u2800\u3164\u{1d159}', '⟦U+1D173⟧⟦U+1BCA0⟧⟦U+2800⟧⟦U+3164⟧⟦U+1D159⟧'],
    ['\ue000\u{10ffff}\u0378', '⟦U+E000⟧⟦U+10FFFF⟧⟦U+0378⟧'],
    ['\ud800x\udc00', '⟦U+D800⟧x⟦U+DC00⟧'],
    ['e\u0301\u0302', 'e\u0301\u0302'],
    ['e\u0301\u0302\u0303\u0304', 'e\u0301\u0302⟦U+0303⟧⟦U+0304⟧'],
    ['\u0301x', '⟦U+0301⟧x'],
    [' \u0301', ' ⟦U+0301⟧'],
    ['\u200b\u0301', '⟦U+200B⟧⟦U+0301⟧'],
    ['😀\u0301', '😀\u0301'],
    ['x\u0336y\u20dd', 'x⟦U+0336⟧y⟦U+20DD⟧'],
    ['हिन्दी ภาษาไทย', 'हिन्दी ภาษาไทย'],
    ['ls；rm -rf ~｜sh', 'ls⟦U+FF1B⟧rm -rf ~⟦U+FF5C⟧sh'],
    ['你好，世界！', '你好，世界！'],
    ['pаypal.com', 'p⟦U+0430⟧ypal.com'],
    ['сору /etc', '⟦U+0441⟧⟦U+043E⟧⟦U+0440⟧⟦U+0443⟧ /etc'],
    ['сору это', 'сору это'],
    ['Δt = λx', 'Δt = λx'],
    ['Հայաստան ծով, και το, русский', 'Հայաստան ծով, και το, русский'],
    ['𝐫𝐦 -𝐫𝐟', '⟦U+1D42B⟧⟦U+1D426⟧ -⟦U+1D42B⟧⟦U+1D41F⟧'],
    ['x 𝑥 ∈ ℝ', 'x 𝑥 ∈ ℝ'],
    ['ｒｍ -rf', '⟦U+FF52⟧⟦U+FF4D⟧ -rf'],
    ['ＡＢＣ会社', 'ＡＢＣ会社'],
    ['ꓚꓴꓣꓡ http', '⟦U+A4DA⟧⟦U+A4F4⟧⟦U+A4E3⟧⟦U+A4E1⟧ http'],
    ['ᎳᎷ ok', '⟦U+13B3⟧⟦U+13B7⟧ ok'],
    ['ᏣᎳᎩ', 'ᏣᎳᎩ'],
    ['g𐌏ogle', 'g⟦U+1030F⟧ogle'],
    ['exаmple․com', 'ex⟦U+0430⟧mple⟦U+2024⟧com'],
    ['ɡoogle /usr/bın', '⟦U+0261⟧oogle /usr/b⟦U+0131⟧n'],
    ['İstanbul’da kapı', 'İstanbul’da kapı'],
    ['[ɡɹaʊ]', '[ɡɹaʊ]'],
    ['v1० २०२६', 'v1⟦U+0966⟧ २०२६'],
    ['xᵢ 2ⁿ m² 1ª', 'xᵢ 2ⁿ m² 1ª'],
    ['ᵖaypal', '⟦U+1D56⟧aypal'],
    ['ᴄᴜʀʟ', '⟦U+1D04⟧⟦U+1D1C⟧⟦U+0280⟧⟦U+029F⟧'],
    ['раурαο', '⟦U+0440⟧⟦U+0430⟧⟦U+0443⟧⟦U+0440⟧⟦U+03B1⟧⟦U+03BF⟧'],
    ['API文字 ใช้API naïve', 'API文字 ใช้API naïve'],
    ['cat \u05d0 > \u05d1', 'cat ⟦RTL⟧\u05d0⟦LTR⟧ > ⟦RTL⟧\u05d1⟦LTR⟧'],
    ['\u05e9\u05dc\u05d5\u05dd 12', '⟦RTL⟧\u05e9\u05dc\u05d5\u05dd⟦LTR⟧ 12'],
    ['\u0633\u0644\u0627\u0645/\u0661\u0662', '⟦RTL⟧\u0633\u0644\u0627\u0645⟦LTR⟧/⟦RTL⟧\u0661\u0662⟦LTR⟧'],
    ['\u05d0\u05b0\u05b1\u05b2', '⟦RTL⟧\u05d0\u05b0\u05b1⟦LTR⟧⟦U+05B2⟧'],
    ['a\u05b0', 'a\u05b0'],
    ['\u05d0'.repeat(13), `⟦RTL⟧${'\u05d0'.repeat(12)}⟦LTR⟧⟦RTL⟧\u05d0⟦LTR⟧`],
    ['⟦RTL⟧', '⟦U+27E6⟧RTL⟦U+27E7⟧'],
    ['x>\u093fy', 'x>⟦U+093F⟧y'],
    ['<b>&amp;[red]', '<b>&amp;[red]'],
    ['', ''],
  ])('shows %j as %j', (text, shown) => {
    expect(safeText(text)).toBe(shown)
    expect(unsafeText(safeText(text))).toBe(text)
  })

  it('shows each of the 1,114,112 code points reversibly', { timeout: PATIENCE_MS }, () => {
    const wrong: string[] = []
    for (let code = 0; code <= 0x10ffff; code++) {
      const text = String.fromCodePoint(code)
      const safe = safeText(text)
      if (safe === text) {
        if (RIGHT_TO_LEFT.test(text)) wrong.push(`${code.toString(16)} reorders`)
        if (INVISIBLE.test(text) || !SHOWABLE.test(text)) wrong.push(`${code.toString(16)} leaks`)
      } else if (unsafeText(safe) !== text || !ONE_MARK.test(safe)) {
        wrong.push(`${code.toString(16)} is ${safe}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('shows every code point inside a Latin word reversibly', { timeout: PATIENCE_MS }, () => {
    const wrong: string[] = []
    for (let code = 0x80; code <= 0x1ffff; code++) {
      const text = `ab${String.fromCodePoint(code)}c`
      if (unsafeText(safeText(text)) !== text) wrong.push(code.toString(16))
    }
    expect(wrong).toEqual([])
  })

  it('is reversible for any text, and contains only visible characters', () => {
    const odd = fc.constantFrom(
      '⟦',
      '⟧',
      '⏎',
      '⇥',
      '\u202e',
      '\u0301',
      '\u0336',
      '\ufe0f',
      '\ud800',
      '\udc00',
      '\r',
      'а',
      'a',
      '；',
      '中',
      'ɡ',
      'ı',
      '𝐫',
      'ｒ',
      'ꓚ',
      'օ',
      '०',
      '․',
      'U+202E',
      '\u05d0',
      '\u0633',
      '\u0661',
      '\u05b0',
      '\u093f',
    )
    const text = fc
      .array(fc.oneof(odd, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 12 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (value) => {
        const safe = safeText(value)
        expect(unsafeText(safe)).toBe(value)
        expect(safe).toMatch(SHOWABLE)
        expect(safe).not.toMatch(INVISIBLE)
      }),
      { numRuns: 3000 },
    )
  })

  it('puts every right-to-left letter between marks, with nothing else that could be reordered', () => {
    const piece = fc.constantFrom(
      '\u05d0',
      '\u0633',
      '\u{1e900}',
      '\u0661',
      '\u05b0',
      ' ',
      '>',
      '|',
      '7',
      'a',
      '/',
      '"',
      '(',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (parts) => {
        const outside = safeText(parts.join('')).replace(/⟦RTL⟧(?:[\p{L}\p{Nd}]\p{M}{0,2}){1,12}⟦LTR⟧/gu, 'L')
        expect(outside.replace(/\p{M}/gu, '')).not.toMatch(RIGHT_TO_LEFT)
        expect(outside).not.toContain('\u0661')
      }),
      { numRuns: 2000 },
    )
  })

  it('never shows two texts the same way', () => {
    const piece = fc.constantFrom(
      '\u05d0',
      'RTL',
      '⟦RTL⟧',
      '⟦',
      'U+202E',
      '⟧',
      '\u202e',
      '⟦ESC⟧',
      '\u001b',
      '⏎',
      '\n',
      '\t',
      '⇥',
    )
    const text = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, text, (a, b) => (safeText(a) === safeText(b)) === (a === b)),
      { numRuns: 2000 },
    )
  })

  it('splits lines only at \\n and keeps the CR of a CRLF visible', () => {
    const text = 'a\r\n\u2028b\n\n\u0085c\u000b'
    expect(safeLines(text)).toEqual(['a⟦CR⟧', '⟦U+2028⟧b', '', '⟦U+0085⟧c⟦VT⟧'])
    expect(safeLines(text).map(unsafeText).join('\n')).toBe(text)
  })

  it('shows JSON without control characters, and still as the same JSON', () => {
    const value = { a: ['x\n\u001b[2J', { '\u202ekey': null }], '⟦': 1 }
    const lines = safeJson(value)
    expect(lines).toContain('    "x\\n\\u001b[2J",')
    expect(lines).toContain('      "⟦U+202E⟧key": null')
    expect(JSON.parse(lines.map(unsafeText).join('\n'))).toEqual(value)
  })
})
