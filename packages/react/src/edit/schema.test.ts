import { canonicalJson, type Json } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../call/verified-view.ts'
import { aboutOf, below, schemaOf, wholeSchema } from './schema.ts'

const hashOf = (definition: Json): string => sha256(canonicalJson(definition))

describe('the schema of a tool', () => {
  it.each(['inputSchema', 'input_schema', 'parameters'])('is found as `%s`', (name) => {
    const definition = { description: 'x', [name]: { type: 'object' } }
    expect(schemaOf(definition, hashOf(definition))).toEqual({ type: 'object' })
  })

  it('is ignored if the definition does not have the signed hash (A20)', () => {
    const definition = { inputSchema: { type: 'object' } }
    expect(schemaOf({ ...definition, description: 'other' }, hashOf(definition))).toBeNull()
    expect(schemaOf(definition, 'unbound')).toBeNull()
    expect(schemaOf('text', hashOf('text'))).toBeNull()
  })

  it('does not follow references to itself, to other documents or to inherited properties', () => {
    const root = {
      properties: {
        loop: { $ref: '#/properties/loop' },
        away: { $ref: 'https://evil.example/schema' },
        none: { $ref: '#/constructor/name' },
      },
    }
    for (const property of ['loop', 'away', 'none', 'constructor', '__proto__'])
      expect(below(wholeSchema(root), { property })).toBeNull()
  })

  it('has its description truncated', () => {
    expect(aboutOf(wholeSchema({ description: 'x'.repeat(9_000) })).words?.length).toBeLessThan(400)
  })
})
