import type { Call, Json } from '@countersign/core'
import { runNode } from '@countersign/testing/command/run-node'
import { openWorld, type World } from '@countersign/testing/gate/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { corpus } from './corpus.ts'
import { fate } from './fate.ts'

const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  '__defineSetter__',
  'isPrototypeOf',
  'then',
  'toJSON',
  'length',
  'name',
  'caller',
]

let world: World
let before: string
beforeAll(async () => {
  world = await openWorld({
    policy: `version: 1
rules:
  - { id: free, tool: free_thing, args: { mode: safe }, supervision: automatic }
  - { id: trap, tool: free_thing, args: { toString: { regex: "." } }, supervision: deny }
  - { id: nested, tool: free_thing, args: { a.valueOf: { regex: "." } }, supervision: deny }
`,
  })
  expect(await world.gate.policyProblems()).toEqual([])
  before = shape()
})
afterAll(() => world.close())

/** All properties of the built-in prototypes, to detect pollution. */
function shape(): string {
  const roots = [Object, Array, Function, String, Number, Boolean, Map, Set, Promise, Error, RegExp].map(
    ({ prototype }) => prototype,
  )
  return JSON.stringify(roots.map((root) => Reflect.ownKeys(root).map(String)))
}

describe('A26: no call or policy changes a prototype', () => {
  it('refuses payloads in arguments, and nothing changes', async () => {
    for (const { source, text } of corpus('prototype')) {
      const args = JSON.parse(text) as unknown
      const result = await world.gate.run({ tool: 'free_thing', args }, () => 1)
      expect(result, `${source}: ${text}`).toMatchObject({ kind: 'refusal', outcome: 'refused', code: 'CS_CALL_ARGS' })
      expect(Reflect.get({}, 'polluted'), text).toBeUndefined()
    }
    expect(shape()).toBe(before)
  })

  it('treats inherited names as plain names of tools, servers, agents and arguments', async () => {
    for (const name of NAMES) {
      expect(await fate(world, { tool: name, args: {} }), name).toBe('held')
      expect(
        await fate(world, { tool: { name, server: name }, args: {}, agent: { name, parents: [name] } }),
        name,
      ).toBe('held')
      const args: { [key: string]: Json } = Object.create(null)
      args[name] = 'x'
      args['mode'] = 'other'
      expect(['held', 'denied', 'refused'], name).toContain(await fate(world, { tool: 'free_thing', args }))
    }
    expect(shape()).toBe(before)
  })

  it('a condition on an argument ignores inherited properties', async () => {
    expect(await fate(world, { tool: 'free_thing', args: { mode: 'safe' } })).toBe('ran')
    expect(await fate(world, { tool: 'free_thing', args: { mode: 'safe', a: {} } })).toBe('ran')
    expect(await fate(world, { tool: 'free_thing', args: {} })).toBe('held')
    const inherited = Object.create({ mode: 'safe' }) as object
    expect(await fate(world, { tool: 'free_thing', args: inherited })).toBe('refused')
  })

  it('payloads in other fields of a call are refused or plain text', async () => {
    for (const { text } of corpus('prototype')) {
      const payload = JSON.parse(text) as never
      const calls: readonly Call[] = [
        { tool: payload, args: {} },
        { tool: 'free_thing', args: {}, agent: payload },
        { tool: { name: 'free_thing', annotations: payload, definition: payload }, args: {} },
        { tool: 'free_thing', args: {}, description: payload },
        { tool: 'free_thing', args: {}, volatile: payload },
        payload,
      ]
      for (const call of calls) expect(['held', 'refused'], text).toContain(await fate(world, call))
    }
    expect(shape()).toBe(before)
  })

  it('the gate works with frozen prototypes', async () => {
    const printed = await runNode(`
      for (const type of [Object, Array, Function, String, Number, Boolean, Map, Set, Promise, RegExp, Symbol]) Object.freeze(type.prototype)
      const { openWorld } = await import('./test/support/gate/world.ts')
      const world = await openWorld({ policy: 'version: 1\\nrules:\\n  - { id: free, tool: free_thing, supervision: automatic }\\n' })
      const free = await world.gate.run({ tool: 'free_thing', args: { toString: 'x', valueOf: 1, list: [{ hasOwnProperty: true }] } }, (args) => args.toString)
      const held = world.gate.run({ tool: 'execute_command', args: { command: 'git push; rm -rf x' } }, () => 'ran')
      const [view] = await world.held()
      const { code } = (await import('@countersign/core')).openView(view, world.ports.crypto)
      const receipt = await world.decide(view, { kind: 'approve', code, reason: 'because', edited: { command: 'git status' } })
      const ended = await held
      const problems = await world.gate.policyProblems()
      await world.close()
      console.log(JSON.stringify([free.kind, free.value, receipt.accepted, ended.kind, problems]))
    `)
    expect(JSON.parse(printed)).toEqual(['completed', 'x', true, 'completed', []])
  })
})
