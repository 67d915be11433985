import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call, Sandbox } from '@countersign/core'
import { heldAt, onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { until } from '@countersign/testing/until'
import { afterEach, describe, expect, it } from 'vitest'

let world: World
afterEach(() => world?.close())

const MISSING: Sandbox = { status: () => ({ kind: 'missing', why: 'not installed', fix: 'install it' }) }

function command(text: string, more: Partial<Call> = {}): Call {
  return { tool: 'execute_command', source: 'builtin', args: { command: text }, containable: true, ...more }
}

/** The agent changes a file that nobody sees. */
async function plant(path: string, content: string): Promise<void> {
  const call: Call = { tool: 'write_file', source: 'builtin', args: { path, content } }
  await world.gate.run(call, () => writeFileSync(join(world.workspace, path), content))
}

async function unseen(): Promise<readonly string[]> {
  const { files } = await world.ports.store.changes(world.workspace)
  return files.filter(({ content, seen }) => content !== seen).map(({ path }) => path)
}

describe('a call whose arguments an approver edits', () => {
  it('is shown again if it could load changes that were not on the card (L5)', async () => {
    world = await openWorld({ wrapPorts: (ports) => ({ ...ports, sandbox: MISSING }) })
    await plant('a.ts', 'evil()\n')
    let ran = 0
    const running = world.gate.run({ ...command('rm old.log'), id: 'c' }, () => {
      ran += 1
    })
    const first = await onlyHeld(world)
    await world.decide(first, { kind: 'approve', edited: { command: 'npm test' } })
    const [second] = await until('the edited call', async () => {
      const views = await heldAt(world.desk)
      return views[0]?.requestDigest === first.requestDigest ? undefined : views
    })
    expect(ran).toBe(0)
    expect(await unseen()).toEqual(['a.ts'])
    expect(second?.preview).toMatchObject({ unseen: { files: [{ path: 'a.ts' }] } })
    if (second !== undefined) await world.decide(second, { kind: 'approve' })
    await running
    expect(ran).toBe(1)
    expect(await unseen()).toEqual([])
  })

  it('runs at once if the same changes were on the card', async () => {
    world = await openWorld({ wrapPorts: (ports) => ({ ...ports, sandbox: MISSING }) })
    await plant('a.ts', 'fine()\n')
    const running = world.gate.run(command('npm run lint'), () => 'ok')
    await world.decide(await onlyHeld(world), { kind: 'approve', edited: { command: 'npm test' } })
    expect(await running).toMatchObject({ kind: 'completed' })
    expect(await unseen()).toEqual([])
  })
})

describe('code that was not on an approved card', () => {
  it('makes a submitted call stale, also if it was there before the call was collected', async () => {
    world = await openWorld({ wrapPorts: (ports) => ({ ...ports, sandbox: MISSING }) })
    await plant('a.ts', 'one()\n')
    const ticket = await world.gate.submit({ ...command('npm test'), id: 'submitted' })
    const view = await onlyHeld(world)
    await plant('b.ts', 'evil()\n')
    await world.decide(view, { kind: 'approve' })
    expect(await world.gate.wait(ticket)).toMatchObject({ kind: 'refusal', outcome: 'stale' })
    expect(await unseen()).toEqual(['a.ts', 'b.ts'])
  })

  it('makes a call stale although the policy changed meanwhile', async () => {
    world = await openWorld({ wrapPorts: (ports) => ({ ...ports, sandbox: MISSING }) })
    await plant('a.ts', 'one()\n')
    const ticket = await world.gate.submit({ ...command('npm test'), id: 'submitted' })
    const view = await onlyHeld(world)
    await world.decide(view, { kind: 'approve' })
    await plant('b.ts', 'evil()\n')
    writeFileSync(world.home.policy, 'version: 1\nlimits: { calls: 900/h }\n', { mode: 0o600 })
    expect(await world.gate.wait(ticket)).toMatchObject({ kind: 'refusal', outcome: 'stale' })
  })

  it('does not count as seen if it could not be shown', async () => {
    world = await openWorld({ wrapPorts: (ports) => ({ ...ports, sandbox: MISSING }) })
    await plant('a.ts', 'one()\n')
    await plant('long.ts', 'x()\n'.repeat(30_000))
    await plant('binary.ts', 'x()\0\n')
    await plant('huge.ts', `${'x'.repeat(300_000)}\n`)
    const running = world.gate.run(command('npm test'), () => 'ok')
    await world.decide(await onlyHeld(world), { kind: 'approve' })
    expect(await running).toMatchObject({ kind: 'completed' })
    expect(await unseen()).toEqual(['binary.ts', 'huge.ts', 'long.ts'])
  })

  it('is not shown with the content of another moment', async () => {
    let flips = false
    world = await openWorld({
      wrapPorts: (ports) => ({
        ...ports,
        sandbox: MISSING,
        targets: {
          ...ports.targets,
          async readText(path, cwd, most) {
            const text = await ports.targets.readText(path, cwd, most)
            return flips && path.endsWith('a.ts') ? 'harmless()\n' : text
          },
        },
      }),
    })
    await plant('a.ts', 'evil()\n')
    flips = true
    const running = world.gate.run(command('npm test'), () => 'ok')
    const view = await onlyHeld(world)
    expect(view.preview).toMatchObject({
      unseen: { files: [{ path: 'a.ts', hunks: [], whole: false }] },
    })
    await world.decide(view, { kind: 'approve' })
    await running
    expect(await unseen()).toEqual(['a.ts'])
  })

  it('is told apart where a card names more files than it shows', async () => {
    world = await openWorld({ wrapPorts: (ports) => ({ ...ports, sandbox: MISSING }) })
    for (let n = 10; n < 35; n += 1) await plant(`f${n}.ts`, `f(${n})\n`)
    const submitted = async (id: string) => {
      const ticket = await world.gate.submit({ ...command('npm test'), id })
      const view = await onlyHeld(world)
      return { ticket, approve: () => world.decide(view, { kind: 'approve' }) }
    }
    const first = await submitted('first')
    await plant('f34.ts', 'evil()\n')
    await first.approve()
    expect(await world.gate.wait(first.ticket)).toMatchObject({ outcome: 'stale' })
    const second = await submitted('second')
    await second.approve()
    expect(await world.gate.wait(second.ticket)).toMatchObject({ kind: 'permit' })
    expect(await unseen()).toHaveLength(5)
  })
})

describe('a rule that runs one part of a command outside', () => {
  it('does not exempt the other parts from changes nobody has seen', async () => {
    const policy = `version: 1
rules:
  - { id: ps, command: { program: docker, verb: ps }, supervision: automatic, contain: false }
  - { id: tests, command: { program: npm, verb: test }, supervision: confirm }
`
    world = await openWorld({ policy, wrapPorts: (ports) => ({ ...ports, sandbox: MISSING }) })
    const both = command('docker ps; npm test')
    const running = world.gate.run(both, () => 'ok')
    const view = await onlyHeld(world)
    const scope = view.offers.find((offer) => offer.scope.kind === 'exact')?.scope
    if (scope === undefined) throw new Error('no grant is offered')
    await world.decide(view, { kind: 'approve', grant: { scope, lifetime: { kind: 'session' } } })
    await running
    expect(await world.gate.isConfirmationRequired(both)).toBe(false)
    await plant('a.ts', 'evil()\n')
    expect(await world.gate.isConfirmationRequired(both)).toBe(true)
    expect(await world.gate.isConfirmationRequired(command('docker ps'))).toBe(false)
  })
})
