import { openWorld, type World } from '@countersign/testing/gate/world'
import { afterEach, describe, expect, it } from 'vitest'
import type { Call } from '../../call/call.ts'
import type { RunPlace } from '../../execute/execute.ts'
import type { Bounds, SandboxRefusal } from '../../policy/model/containment.ts'
import type { GrantOffer, HeldCallView } from '../request/view.ts'

let world: World
afterEach(() => world.close())

const running = (command: string, more: Partial<Call> = {}): Call => ({
  tool: 'execute_command',
  args: { command },
  containable: true,
  ...more,
})
const outside = (command: string): Call => ({
  ...running(command),
  args: { command, outside_sandbox: true },
  outside: true,
})

/** Runs a command, reports what the sandbox refused, and returns where it ran. */
async function run(call: Call, refused: readonly SandboxRefusal[] = []): Promise<Bounds | null | undefined> {
  let place: Bounds | null | undefined
  await world.gate.run(call, (_, how: RunPlace) => {
    place = how.contain
    how.refused(refused)
    if (refused.length > 0) throw new Error('exit code 1')
  })
  return place
}

const HOST: SandboxRefusal = {
  kind: 'host',
  what: 'cdn.example',
  certainty: 'medium',
  exception: { use: 'network', name: 'cdn.example' },
}
const WRITE: SandboxRefusal = {
  kind: 'write',
  what: '/srv/out/a',
  certainty: 'strong',
  exception: { use: 'write', name: '/srv/out' },
}

async function onlyHeld(): Promise<HeldCallView> {
  const [view] = await world.held()
  if (view === undefined) throw new Error('the call is not held')
  return view
}

async function approveWith(view: HeldCallView, offer: GrantOffer | undefined): Promise<void> {
  const lifetime = offer?.lifetimes[0]
  if (offer?.bounds === undefined || lifetime === undefined) throw new Error('no exception is offered')
  const { scope, bounds } = offer
  expect(await world.decide(view, { kind: 'approve', grant: { scope, lifetime, bounds } })).toMatchObject({
    accepted: true,
  })
}

const isHost = ({ scope, bounds }: GrantOffer): boolean => scope.kind === 'network' && bounds !== undefined

describe('a command that the sandbox refused something', () => {
  it('asks to run outside with what was refused on its card, from our records', async () => {
    world = await openWorld()
    await run(running('node build.js'), [HOST, { kind: 'read', what: '/srv/x', certainty: 'weak' }])
    const asked = world.gate.run({ ...outside('node build.js'), said: 'the sandbox refused nice.example' }, () => 'ran')
    const view = await onlyHeld()
    expect(view.refused).toEqual([HOST])
    expect(view.verdict).toMatchObject({ rule: { id: 'builtin.uncontained' }, contain: null })
    expect(view.offers.map(({ words, lifetimes }) => [words, lifetimes[0]?.kind])).toEqual([
      ['contact with `cdn.example` from the sandbox, where this command then runs', 'session'],
    ])
    await world.decide(view, { kind: 'reject' })
    await asked
    const failed = (await world.entries()).find(({ kind }) => kind === 'failed')
    expect(failed).toMatchObject({ refused: [HOST] })
  })

  it('shows nothing for another command, folder, agent or session, or after an hour', async () => {
    world = await openWorld()
    await run(running('node build.js'), [HOST])
    const other = await world.newSession()
    const seen = async (gate: World['gate'], call: Call): Promise<unknown> => {
      const asked = gate.run(call, () => 'ran')
      const view = await onlyHeld()
      await world.decide(view, { kind: 'reject' })
      await asked
      return view.refused
    }
    expect(await seen(world.gate, outside('node build.js'))).toEqual([HOST])
    expect(await seen(world.gate, outside('node build.js other'))).toBeUndefined()
    expect(await seen(world.gate, { ...outside('node build.js'), cwd: '/srv' })).toBeUndefined()
    expect(await seen(world.gate, { ...outside('node build.js'), agent: { name: 'helper' } })).toBeUndefined()
    expect(await seen(other, outside('node build.js'))).toBeUndefined()
    await world.clock.advance(3_600_001)
    expect(await seen(world.gate, outside('node build.js'))).toBeUndefined()
  })

  it('runs in the sandbox with the host that a person allows, and so do later commands of the session', async () => {
    world = await openWorld()
    await run(running('node build.js'), [HOST])
    const asked = run(outside('node build.js'))
    const view = await onlyHeld()
    await approveWith(view, view.offers.find(isHost))
    expect(await asked).toMatchObject({ workspace: 'write', network: ['cdn.example'] })
    const started = (await world.entries()).findLast(({ kind }) => kind === 'started')
    expect(started).toMatchObject({ by: 'ana', contain: { network: ['cdn.example'] } })
    expect((await world.ports.store.call(view.id))?.contain).toContain('cdn.example')

    expect(await run(running('node build.js'))).toMatchObject({ network: ['cdn.example'] })
    expect(await run(running('node other.js'))).toMatchObject({ network: ['cdn.example'] })
    expect(await run(running('ls'))).toMatchObject({ workspace: 'read', network: [] })
    const [grant] = await world.desk.grants().list()
    expect(grant).toMatchObject({
      scope: { kind: 'network', host: 'cdn.example' },
      lifetime: { kind: 'session' },
      uses: 2,
    })
    await world.desk.grants().revoke(grant?.id ?? '', 'ana')
    expect(await run(running('node build.js'))).toMatchObject({ network: [] })
  })

  it('runs in the sandbox with the folder that a person allows, only this command', async () => {
    world = await openWorld()
    await run(running('node build.js'), [WRITE])
    const asked = run(outside('node build.js'))
    const view = await onlyHeld()
    const offer = view.offers.find(({ bounds }) => bounds !== undefined)
    expect(offer).toMatchObject({
      scope: { kind: 'exact' },
      words: '`execute_command` with exactly these arguments, in the sandbox, also writing `/srv/out`',
      contain: { workspace: 'write', write: ['/srv/out'] },
    })
    await approveWith(view, offer)
    expect(await asked).toMatchObject({ write: ['/srv/out'] })
    expect(await run(running('node build.js'))).toMatchObject({ write: ['/srv/out'] })
    expect(await run(running('node other.js'))).toMatchObject({ write: [] })
    expect(await world.desk.grants().list()).toMatchObject([{ bounds: { write: ['/srv/out'] }, uses: 1 }])

    // It still asks to run outside: the exception was for the sandbox.
    const again = world.gate.run(outside('node build.js'), () => 'ran')
    await world.decide(await onlyHeld(), { kind: 'reject' })
    expect(await again).toMatchObject({ kind: 'refusal' })
  })

  it('offers a folder for similar commands where the program has subcommands', async () => {
    world = await openWorld()
    await run(running('npm run build'), [WRITE])
    const asked = run(outside('npm run build'))
    const view = await onlyHeld()
    const offer = view.offers.find(({ scope, bounds }) => scope.kind === 'pattern' && bounds !== undefined)
    expect(offer?.words).toMatch(/^commands `npm run build …`.*, in the sandbox, also writing `\/srv\/out`$/)
    await approveWith(view, offer)
    expect(await asked).toMatchObject({ write: ['/srv/out'] })
    expect(await run(running('npm run build --quiet'))).toMatchObject({ write: ['/srv/out'] })
    expect(await run(running('npm test'))).toMatchObject({ write: [] })
  })

  it('lasts for minutes, and only exactly this command, without a session', async () => {
    world = await openWorld({ options: { session: 'none' } })
    await run(running('npm run build'), [WRITE, HOST])
    const asked = run({ ...running('npm run build'), outside: true })
    const view = await onlyHeld()
    const exceptions = view.offers.filter(({ bounds }) => bounds !== undefined)
    expect(exceptions.map(({ scope, lifetimes }) => [scope.kind, lifetimes])).toEqual([
      ['exact', [{ kind: 'minutes', minutes: 10 }]],
      ['network', [{ kind: 'minutes', minutes: 10 }]],
    ])
    await approveWith(view, exceptions[0])
    expect(await asked).toMatchObject({ write: ['/srv/out'], network: [] })
    expect(await run(running('npm run build'))).toMatchObject({ write: ['/srv/out'] })
    await world.clock.advance(600_001)
    expect(await run(running('npm run build'))).toMatchObject({ write: [] })
  })

  it('accepts only the bounds that were offered', async () => {
    world = await openWorld()
    await run(running('node build.js'), [WRITE])
    const asked = world.gate.run(outside('node build.js'), () => 'ran')
    const view = await onlyHeld()
    const offer = view.offers.find(({ bounds }) => bounds !== undefined)
    if (offer?.bounds === undefined) throw new Error('no exception is offered')
    const { scope } = offer
    for (const bounds of [
      { ...offer.bounds, write: ['/srv'] },
      { ...offer.bounds, network: ['evil.example'] },
      { ...offer.bounds, credentials: ['git'] },
    ]) {
      const grant = { scope, lifetime: { kind: 'session' }, bounds } as const
      expect(await world.decide(view, { kind: 'approve', grant })).toMatchObject({ accepted: false })
    }
    await world.decide(view, { kind: 'reject' })
    await asked
  })

  it('is never offered a host of this machine, or one that is not a host', async () => {
    world = await openWorld()
    const odd = ['localhost', '127.0.0.1', '*', '*.example', 'a b', ''].map(
      (name): SandboxRefusal => ({ ...HOST, exception: { use: 'network', name } }),
    )
    await run(running('node build.js'), odd)
    const asked = world.gate.run(outside('node build.js'), () => 'ran')
    const view = await onlyHeld()
    expect(view.offers.filter(({ bounds }) => bounds !== undefined)).toEqual([])
    await world.decide(view, { kind: 'reject' })
    await asked
  })
})
