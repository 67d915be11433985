import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { schemaFile } from '../../../../../scripts/generate-schema.ts'
import type { Json } from '../../call/json/json.ts'
import { policyJsonSchema } from './json-schema.ts'

const schema = z.fromJSONSchema(policyJsonSchema() as Parameters<typeof z.fromJSONSchema>[0])
const accepts = (value: Json): boolean => schema.safeParse(value).success

const WHOLE: Json = {
  version: 1,
  preset: 'balanced',
  defaults: { timeout: '5m' },
  tools: { read_file: 'automatic' },
  auto_approve: ['list_*'],
  never_allow: ['format_*'],
  limits: { calls: ['200/h', '5/m'], files: '50/session' },
  rules: [
    {
      id: 'a',
      tool: ['x', 'y*'],
      kind: 'write',
      server: 's',
      agent: ['a'],
      args: { 'a.b': 1, c: ['x'], d: { above: 1 }, e: { equals: { deep: [null] } } },
      path: { inside: '${workspace}', except: ['**/.env'] },
      command: { program: 'git', verb: ['push'], flags: '-f' },
      url: { host: '*.example.com', method: 'POST' },
      risk: { at_least: 'low', at_most: 'high' },
      annotations: { readOnlyHint: true },
      hours: { outside: '08:00-20:00', zone: 'UTC', days: ['mon-fri'] },
      any: [{ tool: 'x' }, { all: [{ risk: 'high' }] }],
      not: { path: 'src/**' },
      unless: { url: 'a.com' },
      supervision: 'notify',
      up_to: 'high',
      raises_to: 'high',
      checks: ['backup'],
      timeout: '30s',
      reason: 'why not',
    },
  ],
  tests: [
    { call: { tool: 'x', args: { a: [1, { b: null }] } }, expect: { supervision: 'deny', risk: 'low', rule: 'a' } },
  ],
}

describe('the JSON Schema', () => {
  it('accepts the whole language', () => {
    expect(schema.safeParse(WHOLE).error?.issues ?? []).toEqual([])
  })

  it.each<readonly [string, Json]>([
    ['an unknown key', { version: 1, rulez: [] }],
    ['an unknown key in a rule', { version: 1, rules: [{ tool: 'x', supervision: 'deny', up2: 'high' }] }],
    ['an unknown supervision', { version: 1, rules: [{ tool: 'x', supervision: 'allow' }] }],
    ['a missing supervision', { version: 1, rules: [{ tool: 'x' }] }],
    ['a missing version', { preset: 'balanced' }],
    ['a duration without a unit', { version: 1, defaults: { timeout: '5' } }],
    ['a nested unknown key', { version: 1, rules: [{ not: { any: [{ tol: 'x' }] }, supervision: 'deny' }] }],
    ['an empty list', { version: 1, never_allow: [] }],
    ['the rows of a preset', { version: 1, rows: {} }],
  ])('refuses %s', (_what, value) => {
    expect(accepts(value)).toBe(false)
  })

  it('is draft 7, the newest version that YAML editors support', () => {
    expect(policyJsonSchema()).toMatchObject({ $schema: 'http://json-schema.org/draft-07/schema#' })
  })

  it('describes every key', () => {
    const bare: string[] = []
    const definitions = (policyJsonSchema() as { definitions: Record<string, Json> }).definitions
    const visit = (node: Json, place: string): void => {
      if (node === null || typeof node !== 'object') return
      const { properties } = node as { properties?: Record<string, { description?: string; $ref?: string }> }
      for (const [key, { description, $ref }] of Object.entries(properties ?? {})) {
        const target = definitions[$ref?.split('/').at(-1) ?? ''] as { description?: string } | undefined
        if ((description ?? target?.description) === undefined) bare.push(`${place}.${key}`)
      }
      for (const [key, inner] of Object.entries(node)) visit(inner, `${place}/${key}`)
    }
    visit(policyJsonSchema(), '')
    expect(bare).toEqual([])
  })

  it('is identical to packages/core/policy.schema.json (node scripts/generate-schema.ts)', () => {
    expect(readFileSync(new URL('../../../policy.schema.json', import.meta.url), 'utf8')).toBe(schemaFile())
  })
})
