import { describe, expect, it } from 'vitest'
import { importsOf } from '../../scripts/architecture/imports.ts'

describe('finding imports', () => {
  it.each([
    ["import { a } from './a.ts'", './a.ts', false],
    ["import * as a from './a.ts'", './a.ts', false],
    ["import a from './a.ts'", './a.ts', false],
    ["import type { A } from './a.ts'", './a.ts', true],
    ["import { type A, type B } from './a.ts'", './a.ts', true],
    ["import { type A, b } from './a.ts'", './a.ts', false],
    ["import {\n  type A,\n  b,\n} from './a.ts'", './a.ts', false],
    ["export { a } from './a.ts'", './a.ts', false],
    ["export * from './a.ts'", './a.ts', false],
    ["export type { A } from './a.ts'", './a.ts', true],
    ["import './a.ts'", './a.ts', false],
    ["const a = await import('./a.ts')", './a.ts', false],
  ])('reads `%s`', (text, specifier, typeOnly) => {
    expect(importsOf(`\n${text}\n`)).toEqual([{ specifier, typeOnly, lazy: text.includes('await'), line: 2 }])
  })

  it('does not mistake code or comments for imports', () => {
    const text =
      "/**\n * import { a } from './a.ts'\n */\nexport const from = 'x'\nexport function f() {}\nconst s = 'copied from'\n"
    expect(importsOf(text)).toEqual([])
  })
})
