import { describe, expect, it } from 'vitest'
import { ERRORS } from '../../packages/core/src/errors.ts'
import { pageText } from './pages.ts'

const rows = [...pageText('docs/reference/errors.md').matchAll(/^\| `(CS_\w+)` \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, code = '', means = '', todo = '']) => ({
    code,
    means: means.trim(),
    todo: todo.trim(),
  }),
)

describe('the errors page', () => {
  it('has a row for every code, and no other', () => {
    expect(rows.map(({ code }) => code).toSorted()).toEqual(Object.keys(ERRORS).toSorted())
  })

  it.each(rows)('describes $code as the code does, with the next step', ({ code, means, todo }) => {
    expect(means).toBe(ERRORS[code as keyof typeof ERRORS])
    expect(todo.length).toBeGreaterThan(10)
  })
})
