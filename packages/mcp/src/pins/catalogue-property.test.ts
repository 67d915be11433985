import { join } from 'node:path'
import { canonicalJson, DEFINITION_MEMBERS, type Json, type JsonObject } from '@countersign/core'
import { openCrypto, openHome } from '@countersign/node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { serverIdentity } from '../identity/server-identity.ts'
import { createCatalogue } from './create-catalogue.ts'
import { findOddText } from './suspicious-text.ts'
import { diffDefinitions } from './view.ts'

const TOOL = fc.record(
  {
    name: fc.constantFrom('a', 'b', 'c'),
    title: fc.string(),
    description: fc.string({ unit: 'grapheme' }),
    inputSchema: fc.jsonValue({ maxDepth: 3 }),
    annotations: fc.dictionary(fc.constantFrom('readOnlyHint', 'destructiveHint'), fc.boolean()),
    _meta: fc.jsonValue({ maxDepth: 1 }),
  },
  { requiredKeys: ['name'] },
) as fc.Arbitrary<JsonObject>

function pinnedText(tool: JsonObject): string {
  return canonicalJson(
    Object.fromEntries(
      DEFINITION_MEMBERS.flatMap((key) => (tool[key] === undefined ? [] : [[key, tool[key]]])),
    ) as Json,
  )
}

function place() {
  const home = openHome(join(temporaryFolder(), 'home'))
  const crypto = openCrypto(home)
  let label = 0
  return {
    crypto,
    next: () => {
      label += 1
      const name = `server-${label}`
      return () =>
        createCatalogue({
          home,
          label: name,
          server: serverIdentity({ command: [name] }, crypto),
          crypto,
          now: () => 1,
          report: () => {},
        })
    },
  }
}

describe('a catalogue', () => {
  it('accepts in a later listing exactly the definitions of the first', async () => {
    const { next } = place()
    const lists = fc.uniqueArray(TOOL, { selector: (tool) => tool['name'], maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(lists, lists, async (first, second) => {
        const start = next()
        await start().take({ tools: first }, { cursor: null })
        const { take, find } = start()
        await take({ tools: second }, { cursor: null })
        // An empty listing is not a first contact: the next one is.
        const known = new Map((first.length === 0 ? second : first).map((tool) => [tool['name'], pinnedText(tool)]))
        for (const tool of second) {
          const isOdd = findOddText(tool).length > 0
          const { kind } = find(String(tool['name']))
          if (known.get(tool['name']) !== pinnedText(tool)) expect(kind).toBe('quarantined')
          else if (!isOdd) expect(kind).toBe('accepted')
        }
      }),
      { numRuns: 40 },
    )
  })

  it('never throws, whatever is listed', async () => {
    const { next } = place()
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue({ maxDepth: 4 })),
        fc.jsonValue({ maxDepth: 1 }),
        async (tools, nextCursor) => {
          const { take, find } = next()()
          await take({ tools, nextCursor } as JsonObject, { cursor: null })
          expect(find('nothing').kind).toBe('unadvertised')
        },
      ),
      { numRuns: 40 },
    )
  })
})

describe('the diff of two definitions', () => {
  it.each<readonly [string, JsonObject, JsonObject]>([
    ['null and the text `null`', { name: 'a', inputSchema: null }, { name: 'a', inputSchema: 'null' }],
    ['a number and its digits', { name: 'a', description: 5 }, { name: 'a', description: '5' }],
    [
      'one long line and two lines',
      { name: 'a', title: 'x'.repeat(1500) },
      { name: 'a', title: `${'x'.repeat(1000)}\n${'x'.repeat(500)}` },
    ],
    [
      'a member and a line of another',
      { name: 'a', title: 'b\ndescription:\n  | c' },
      { name: 'a', title: 'b', description: 'c' },
    ],
    ['a carriage return', { name: 'a', title: 'b' }, { name: 'a', title: 'b\r' }],
    ['a trailing space', { name: 'a', title: 'b' }, { name: 'a', title: 'b ' }],
  ])('distinguishes %s', (_, before, after) => {
    expect(diffDefinitions(before, after).some(({ kind }) => kind !== 'same')).toBe(true)
  })

  it('omits no change', () => {
    fc.assert(
      fc.property(TOOL, TOOL, (before, after) => {
        const lines = diffDefinitions(before, after)
        expect(lines.some(({ kind }) => kind !== 'same')).toBe(pinnedText(before) !== pinnedText(after))
      }),
    )
  })
})
