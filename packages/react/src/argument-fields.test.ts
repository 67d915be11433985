import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldsOf, readFields, readJson, sameArguments } from './argument-fields.ts'

describe('the form of arguments', () => {
  it('gives back what it was made of, with every type', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
          fc.jsonValue(),
        ),
        (value) => {
          const args = JSON.parse(JSON.stringify(value)) as Parameters<typeof fieldsOf>[0]
          const read = readFields(fieldsOf(args))
          expect(read.kind === 'read' && sameArguments(read.args, args)).toBe(true)
        },
      ),
    )
  })

  it.each([
    ['', 'not a number'],
    ['1e999', 'not a number'],
    ['twelve', 'not a number'],
  ])('refuses %j where a number stood', (text, message) => {
    expect(readFields([{ name: 'n', kind: 'number', text }])).toEqual({ kind: 'wrong', name: 'n', message })
  })

  it('takes only an object as the whole', () => {
    expect(readJson('[1]')).toMatchObject({ kind: 'wrong' })
    expect(readJson('{')).toMatchObject({ kind: 'wrong' })
    expect(readJson('{"a":1}')).toEqual({ kind: 'read', args: { a: 1 } })
  })
})
