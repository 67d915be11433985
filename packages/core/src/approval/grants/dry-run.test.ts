import { openWorld, type World } from '@countersign/testing/gate/world'
import { afterEach, describe, expect, it } from 'vitest'
import { freezeCall } from '../../call/freeze/freeze-call.ts'
import type { Json } from '../../call/json/json.ts'
import type { GrantScope } from '../../policy/model/grant.ts'

let world: World
afterEach(() => world.close())

const POLICY = 'version: 1\nrules:\n  - { tool: "*", supervision: automatic, up_to: critical, contain: false }\n'

async function past(...commands: readonly string[]) {
  world = await openWorld({ policy: POLICY })
  for (const command of commands) await world.gate.run({ tool: 'execute_command', args: { command } }, () => 'ran')
}

/** A pattern as offered to the approver: bound to the folder, with no other argument conditions. */
function patternOf(when: Json, cwd = world.workspace): GrantScope {
  const given = { tool: 'execute_command', args: { command: 'git' } }
  const { around } = freezeCall(given, { crypto: world.ports.crypto, session: null, cwd, newId: () => 'x' })
  return { kind: 'pattern', when, ...(around === null ? {} : { around }) }
}

describe('the dry run of a grant', () => {
  it('counts matches with the same code that matches grants', async () => {
    await past('git add a', 'git add b', 'git push', 'git -C elsewhere add c', 'ls')
    const when = {
      tool: ['execute_command'],
      command: { program: ['git'], verb: ['add'] },
      not: { command: { flags: ['-C'] } },
    }
    expect(await world.desk.wouldMatch(patternOf(when))).toEqual({
      ...{ matched: 2, of: 5, high: 0 },
      examples: ['git add b', 'git add a'],
      nearMiss: 'git -C elsewhere add c',
    })
    expect(await world.desk.wouldMatch(patternOf(when, '/srv/other'))).toMatchObject({ matched: 0, examples: [] })
  })

  it('does not match a shell by name (A11), and refuses an invalid pattern', async () => {
    await past('ls', 'git status')
    const tool = { kind: 'tool', server: null, tool: 'execute_command', definition: 'unbound' } as const
    expect(await world.desk.wouldMatch(tool)).toMatchObject({ matched: 0, of: 2 })
    await expect(world.desk.wouldMatch({ kind: 'pattern', when: { nonsense: 1 } })).rejects.toMatchObject({
      code: 'CS_GRANT_SCOPE',
    })
    expect(await world.desk.wouldMatch({ kind: 'exact', grantKey: 'x' })).toMatchObject({ matched: 0, of: 2 })
  })

  it('does not count the call that is being decided', async () => {
    const policy = `${POLICY}  - { tool: note, args: { loud: true }, supervision: confirm, floor: true }\n`
    world = await openWorld({ policy })
    await world.gate.run({ tool: 'note', args: { loud: false } }, () => 'ran')
    const ticket = await world.gate.submit({ tool: 'note', args: { loud: true } })
    expect(await world.desk.list()).toHaveLength(1)
    const scope = { kind: 'tool', server: null, tool: 'note', definition: 'unbound' } as const
    expect(await world.desk.wouldMatch(scope)).toMatchObject({ matched: 1, of: 1 })
    await world.gate.withdraw(ticket)
    expect(await world.desk.wouldMatch(scope)).toMatchObject({ matched: 2, of: 2 })
  })

  it('counts high-risk calls', async () => {
    await past('git push --force', 'git push')
    const when = { tool: ['execute_command'], command: { program: ['git'], verb: ['push'] } }
    const found = await world.desk.wouldMatch(patternOf(when))
    expect(found.matched).toBe(2)
    expect(found.high).toBeGreaterThan(0)
  })
})

describe('used tools', () => {
  it('are listed with their last verdict and whether their definition changed (A20)', async () => {
    world = await openWorld({ policy: POLICY })
    const tool = { name: 'send', server: 'mail' }
    for (const definition of ['one', 'two'])
      await world.gate.run({ tool: { ...tool, definition }, args: {}, source: 'mcp' }, () => 'ran')
    await world.gate.run({ tool: 'read_file', args: { path: 'x' } }, () => 'ran')
    expect(await world.desk.tools()).toMatchObject([
      { tool: 'read_file', server: null, kind: 'read', calls: 1, definition: 'unbound' },
      { tool: 'mail/send', server: 'mail', name: 'send', calls: 2, otherDefinitions: [expect.any(String)] },
    ])
  })
})

describe('a tool whose last call ran under a grant', () => {
  it('is listed with that grant, and without it after a rule decides again', async () => {
    world = await openWorld({ policy: 'version: 1\nrules:\n  - { tool: jot, supervision: confirm }\n' })
    const call = { tool: 'jot', args: {} }
    const ran = world.gate.run(call, () => 'ran')
    const [view] = await world.held()
    const offer = view?.offers.find(({ scope }) => scope.kind === 'exact')
    const lifetime = offer?.lifetimes.find(({ kind }) => kind === 'minutes')
    if (view === undefined || offer === undefined || lifetime === undefined) throw new Error('nothing is offered')
    await world.decide(view, { kind: 'approve', grant: { scope: offer.scope, lifetime } })
    await ran
    expect(await world.desk.tools()).toMatchObject([{ supervision: 'confirm', grant: null }])
    await world.gate.run(call, () => 'ran')
    const [grant] = await world.desk.grants().list()
    expect(await world.desk.tools()).toMatchObject([{ supervision: 'automatic', grant: grant?.id }])
  })
})

describe('one call at the desk', () => {
  it('is shown while held, and in the history afterwards', async () => {
    world = await openWorld({ policy: 'version: 1\nrules:\n  - { tool: jot, supervision: confirm }\n' })
    const ran = world.gate.run({ id: 'one', tool: 'jot', args: {} }, () => 'ran')
    const [view] = await world.held()
    expect(await world.desk.view('one')).toEqual(view)
    if (view !== undefined) await world.decide(view, { kind: 'approve' })
    await ran
    expect(await world.desk.view('one')).toBeUndefined()
    expect(await world.desk.past('one')).toMatchObject({ outcome: 'completed', decision: { kind: 'approve' } })
    expect(await world.desk.past('other')).toBeUndefined()
  })
})
