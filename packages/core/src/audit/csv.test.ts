import fc from 'fast-check'
import { expect, it } from 'vitest'
import { csvRow } from './csv.ts'

it.each([
  ['=1+1', `"'=1+1"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\t=1', '"⇥=1"'],
  ['\r=1', '"⟦CR⟧=1"'],
  ['\n=1', '"⏎=1"'],
  ['  =1', `"  '=1"`],
  ['"=1', `"""'=1"`],
  ['a;=1+1', `"a;'=1+1"`],
  ['a; "=1', `"a; ""'=1"`],
  ['say "hi", all', '"say ""hi"", all"'],
  ['a=b', '"a=b"'],
  ['\u202egpj.exe', '"⟦U+202E⟧gpj.exe"'],
])('writes %j as %s', (text, cell) => {
  expect(csvRow([text])).toBe(`${cell}\r\n`)
})

it('keeps numbers and leaves out what is absent', () => {
  expect(csvRow([7, null, undefined, ''])).toBe('"7","","",""\r\n')
})

/** The cells of a row by RFC 4180, or by a program that splits at semicolons. */
function cellsOf(row: string, separator: ',' | ';'): readonly string[] {
  return [...row.slice(0, -2).matchAll(separator === ',' ? /"((?:[^"]|"")*)"(?:,|$)/g : /(?:^|;)([^;]*)/g)].map(
    ([, cell = '']) => (separator === ',' ? cell.replaceAll('""', '"') : cell.replace(/^["\s]+/, '')),
  )
}

it('begins no cell with a formula, whatever the text and however a program splits it', () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom(...'=+-@;,"\'\t\r\n aé＝'.split('')), maxLength: 8 }), {
    minLength: 1,
  })
  fc.assert(
    fc.property(texts, (row) => {
      const written = csvRow(row)
      expect(written.indexOf('\n')).toBe(written.length - 1)
      expect(cellsOf(written, ',')).toHaveLength(row.length)
      for (const separator of [',', ';'] as const)
        for (const cell of cellsOf(written, separator)) expect(cell).not.toMatch(/^["\s]*[=+\-@\t\r＝]/)
    }),
    { numRuns: 500 },
  )
})
