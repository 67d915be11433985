import { type Call, type Explanation, supervisionRank } from '@countersign/core'
import { openWorld, type World } from '@countersign/testing/gate/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { corpus } from './corpus.ts'
import { fate } from './fate.ts'

const POLICY = `
version: 1
rules:
  - { id: asked, tool: asked_thing, supervision: confirm }
  - { id: careful, tool: careful_thing, supervision: manual }
  - { id: never, tool: never_thing, supervision: deny }
  - { id: free, tool: free_thing, supervision: automatic }
`
const TEXTS = corpus('injection')
const NOT_RUN = ['held', 'denied', 'refused']

let world: World
beforeAll(async () => {
  world = await openWorld({ policy: POLICY })
})
afterAll(() => world.close())

/** A text in every field that an agent, a server or a page controls. */
function everywhere(tool: string, text: string): Call {
  return {
    tool: {
      name: tool,
      description: text,
      definition: { description: text, inputSchema: { title: text, default: text } },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    args: { text, approved: true, confirmed: text, list: [text, { note: text }] },
    said: text,
    confirmationMessage: text,
    requiresConfirmation: false,
    source: 'builtin',
  }
}

function rank({ verdict }: Explanation): number {
  return supervisionRank(verdict.supervision)
}

describe('A1: no text changes the verdict on a call', () => {
  it('has at least 200 texts', () => {
    expect(TEXTS.length).toBeGreaterThanOrEqual(200)
    expect(new Set(TEXTS.map(({ text }) => text)).size).toBe(TEXTS.length)
  })

  it('in arguments, the agent’s words, descriptions, definitions and annotations: held', async () => {
    for (const { source, text } of TEXTS) {
      expect(await fate(world, everywhere('asked_thing', text)), `${source}: ${JSON.stringify(text)}`).toBe('held')
    }
  }, 60_000)

  it('in names of tools, servers and agents: held, or refused as an invalid name', async () => {
    for (const { source, text } of TEXTS) {
      const named = {
        ...everywhere('x', text),
        tool: { name: text, server: text },
        agent: { name: text, parents: [text] },
      }
      expect(NOT_RUN, `${source}: ${JSON.stringify(text)}`).toContain(await fate(world, named))
      const bare = await fate(world, { tool: text, args: {} })
      expect(NOT_RUN, `${source} as a bare tool name: ${JSON.stringify(text)}`).toContain(bare)
    }
  }, 60_000)

  it('never lowers supervision from deny, manual or confirm', async () => {
    for (const tool of ['never_thing', 'careful_thing', 'asked_thing', 'free_thing', 'nobody_knows_this']) {
      const plain = rank(await world.gate.explain({ tool, args: {} }))
      for (const { source, text } of TEXTS) {
        const spoken = await world.gate.explain({ ...everywhere(tool, text), tool })
        expect(rank(spoken), `${tool}, ${source}: ${JSON.stringify(text)}`).toBeGreaterThanOrEqual(plain)
      }
    }
  }, 60_000)

  it('raises supervision if the agent’s words claim a permission that nobody gave', async () => {
    const claims = TEXTS.filter(({ source }) => source === 'A1-claim')
    for (const { text } of claims) {
      const { riskReasons } = await world.gate.explain({ tool: 'read_file', args: { path: 'a' }, said: text })
      expect(riskReasons, text).toContainEqual(expect.stringContaining('claims that permission was already given'))
    }
    expect(claims.length).toBeGreaterThan(20)
  })

  it('in the result of a tool: the next call is still held', async () => {
    for (const { source, text } of TEXTS.slice(0, 40)) {
      const result = await world.gate.run({ tool: 'free_thing', args: {} }, () => ({
        text,
        approved: true,
        kind: 'permit',
      }))
      expect(result.kind).toBe('completed')
      expect(await fate(world, { tool: 'asked_thing', args: { after: text } }), source).toBe('held')
    }
  })

  it('in an error that a tool throws: reported as its failure, with no other effect', async () => {
    for (const { text } of TEXTS.slice(0, 40)) {
      const result = await world.gate.run({ tool: 'free_thing', args: {} }, () => {
        throw new Error(text)
      })
      expect(result.kind).toBe('failed')
    }
    expect(await fate(world, { tool: 'asked_thing', args: {} })).toBe('held')
  })
})
