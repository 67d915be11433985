import { writeFileSync } from 'node:fs'
import type { Call, Permit } from '@countersign/core'
import { onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { afterEach, describe, expect, it } from 'vitest'

let world: World
afterEach(() => world?.close())

const TEST: Call = {
  tool: 'execute_command',
  source: 'builtin',
  args: { command: 'npm test' },
  containable: true,
}
const RULE = '{ id: tests, command: { program: npm, verb: test }, supervision: confirm'
const CONTAINED = `version: 1\nrules: [${RULE}, contain: { network: docs.example } }]\n`
const OUTSIDE = `version: 1\nrules: [${RULE} }]\n`

/** Approves the call with a grant for exactly its arguments. */
async function grantExact(): Promise<Permit['contain']> {
  const asked = world.gate.ask(TEST)
  const view = await onlyHeld(world)
  const scope = view.offers.find((offer) => offer.scope.kind === 'exact' && offer.bounds === undefined)?.scope
  if (scope === undefined) throw new Error('no grant is offered')
  await world.decide(view, { kind: 'approve', grant: { scope, lifetime: { kind: 'session' } } })
  return containOf(await asked)
}

function containOf(answer: Awaited<ReturnType<World['gate']['ask']>>): Permit['contain'] {
  if (answer.kind === 'refusal') throw new Error(answer.message)
  return answer.contain
}

function change(policy: string): void {
  writeFileSync(world.home.policy, policy, { mode: 0o600 })
}

describe('a grant for exact arguments', () => {
  it('never runs a command outside that its card showed in the sandbox', async () => {
    world = await openWorld({ policy: CONTAINED })
    expect(await grantExact()).toMatchObject({ network: ['docs.example'] })
    expect(containOf(await world.gate.ask(TEST))).toMatchObject({ network: ['docs.example'] })
    change(OUTSIDE)
    expect(containOf(await world.gate.ask(TEST))).toMatchObject({ workspace: 'write', network: [] })
  })

  it('runs a command outside if its card showed that', async () => {
    world = await openWorld({ policy: OUTSIDE })
    expect(await grantExact()).toBeNull()
    expect(containOf(await world.gate.ask(TEST))).toBeNull()
    change(CONTAINED)
    expect(containOf(await world.gate.ask(TEST))).toMatchObject({ network: ['docs.example'] })
  })
})
