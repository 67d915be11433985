import type { Json, JsonObject } from '@countersign/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Draft, type DraftField, draftOf } from './draft.ts'
import { misfitOf, readDraft, readJson, sameArguments } from './parse-draft.ts'

const json = fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.parse(JSON.stringify(value)) as Json)
const args = fc.dictionary(fc.string(), json) as fc.Arbitrary<JsonObject>
const SCHEMA = {
  type: 'object',
  required: ['title', 'amount'],
  properties: {
    title: { type: 'string', maxLength: 5 },
    amount: { type: 'integer', minimum: 1, maximum: 9 },
    ratio: { type: ['number', 'null'] },
    state: { enum: ['open', 'closed', 3] },
    draft: { type: 'boolean' },
    labels: { type: 'array', items: { type: 'string' } },
    owner: { $ref: '#/$defs/person' },
    people: { type: 'array', items: { $ref: '#/$defs/person' } },
    when: { type: 'string', default: 'now' },
    either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
  },
  $defs: {
    person: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, boss: { $ref: '#/$defs/person' } },
    },
  },
} satisfies JsonObject

function field(draft: Draft, name: string): DraftField {
  const found = draft.kind === 'group' ? draft.fields.find((one) => one.name === name) : undefined
  if (found === undefined) throw new Error(`no field ${name}`)
  return found
}

describe('the arguments form', () => {
  it('returns the arguments unchanged, whatever the schema', () => {
    fc.assert(
      fc.property(args, fc.option(fc.oneof(fc.constant(SCHEMA), args)), (given, schema) => {
        const read = readDraft(draftOf(given, schema))
        expect(read.kind === 'read' && sameArguments(read.args, given)).toBe(true)
      }),
    )
  })

  it('takes types and optional fields from the schema', () => {
    const draft = draftOf({ title: 'a', amount: 2, state: 'open', owner: { name: 'x' }, labels: ['q'] }, SCHEMA)
    expect(field(draft, 'amount').draft).toEqual({ kind: 'number', text: '2', isInteger: true })
    expect(field(draft, 'state').draft).toEqual({ kind: 'choice', options: ['open', 'closed', 3], at: 0 })
    expect(field(draft, 'labels').draft).toMatchObject({ kind: 'list', items: [{ kind: 'text', text: 'q' }] })
    expect(field(draft, 'owner').draft).toMatchObject({ kind: 'group' })
    for (const [name, blank] of [
      ['ratio', { kind: 'number', text: '', isInteger: false }],
      ['draft', { kind: 'boolean', value: false }],
      ['people', { kind: 'list', items: [] }],
      ['when', { kind: 'text', text: 'now' }],
      ['either', { kind: 'json', text: 'null' }],
    ] as const) {
      expect(field(draft, name).draft).toBeNull()
      expect(field(draft, name).blank()).toMatchObject(blank)
    }
    const people = field(draft, 'people').blank()
    expect(people.kind === 'list' && people.blank()).toMatchObject({
      fields: [
        { name: 'name', draft: { kind: 'text' } },
        { name: 'boss', draft: null },
      ],
    })
  })

  it.each([
    ['a number where the schema has a string', { title: 7 }, 'title', { kind: 'number' }],
    ['a value missing from the enum', { state: 'lost' }, 'state', { kind: 'choice', at: 0 }],
    ['a fraction where the schema has an integer', { amount: 1.5 }, 'amount', { kind: 'number', isInteger: false }],
    ['an unknown argument', { more: true }, 'more', { kind: 'boolean' }],
  ])('keeps %s', (_, given, name, draft) => {
    expect(field(draftOf(given, SCHEMA), name).draft).toMatchObject(draft)
  })

  it.each([
    [{ kind: 'number', text: '', isInteger: false }, 'must be a number'],
    [{ kind: 'number', text: '1e999', isInteger: false }, 'must be a number'],
    [{ kind: 'number', text: 'twelve', isInteger: false }, 'must be a number'],
    [{ kind: 'number', text: '1.5', isInteger: true }, 'must be an integer'],
    [{ kind: 'choice', options: ['a'], at: -1 }, 'choose a value'],
    [{ kind: 'json', text: '{' }, 'not valid JSON'],
  ] as const)('refuses %j', (draft, message) => {
    const about = { words: null, min: null, max: null, shortest: null, longest: null }
    const wrong = { name: 'n', draft, blank: () => draft, isRequired: true, about }
    expect(readDraft({ kind: 'group', fields: [wrong] })).toEqual({ kind: 'wrong', name: 'n', message })
  })

  it('warns about schema violations but accepts them', () => {
    const draft = draftOf({ title: 'too long', amount: 12 }, SCHEMA)
    for (const [name, words] of [
      ['title', /longer/],
      ['amount', /above/],
    ] as const) {
      const { about, draft: value } = field(draft, name)
      expect(value && misfitOf(value, about)).toMatch(words)
    }
    expect(readDraft(draft)).toEqual({ kind: 'read', args: { title: 'too long', amount: 12 } })
  })

  it('stays small for a schema built to explode', () => {
    const wide = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`f${at}`, { $ref: '#/$defs/a' }]))
    const bomb = { $ref: '#/$defs/a', $defs: { a: { type: 'object', properties: wide, required: Object.keys(wide) } } }
    const made = field(draftOf({}, bomb), 'f0').blank()
    expect(JSON.stringify(made).length).toBeLessThan(200_000)
  })

  it('accepts only a JSON object', () => {
    expect(readJson('[1]')).toMatchObject({ kind: 'wrong' })
    expect(readJson('{')).toMatchObject({ kind: 'wrong' })
    expect(readJson('{"a":1}')).toEqual({ kind: 'read', args: { a: 1 } })
  })
})
