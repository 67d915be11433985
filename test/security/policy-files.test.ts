import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import type { Call } from '@countersign/core'
import { onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { settled } from '@countersign/testing/simulated-clock'
import { afterEach, describe, expect, it } from 'vitest'
import { corpus } from './corpus.ts'
import { fate } from './fate.ts'

let world: World
afterEach(() => world.close())

const GOOD = `version: 1
rules:
  - { id: never, tool: danger, supervision: deny }
  - { id: asked, tool: asked_thing, supervision: confirm }
  - { id: free, tool: free_thing, supervision: automatic }
`
const DANGER: Call = { tool: 'danger', args: {} }
const ASKED: Call = { tool: 'asked_thing', args: {} }
const UNKNOWN: Call = { tool: 'frobnicate', args: {} }

function write(text: string): void {
  writeFileSync(world.home.policy, text, { mode: 0o600 })
}

describe('A23 A24: a policy with any error is rejected as a whole', () => {
  it('refuses every file of the corpus with its place, and keeps the last valid policy', async () => {
    world = await openWorld({ policy: GOOD })
    for (const { source, text } of corpus('yaml')) {
      write(text)
      const about = `${source}: ${JSON.stringify(text.slice(0, 120))}`
      expect(await fate(world, DANGER), about).toBe('denied')
      expect(await fate(world, ASKED), about).toBe('held')
      const [problem] = await world.gate.policyProblems()
      expect(problem, about).toMatchObject({ line: expect.any(Number), column: expect.any(Number) })
      expect(problem?.message.split('\n'), about).toHaveLength(1)
    }
    write(GOOD.replace('confirm', 'automatic'))
    expect(await fate(world, ASKED)).toBe('ran')
    expect(await world.gate.policyProblems()).toEqual([])
  }, 60_000)

  it('refuses every file of the corpus at startup, and then a person decides every call', async () => {
    world = await openWorld({ policy: GOOD })
    for (const { source, text } of corpus('yaml').filter((_, at) => at % 4 === 0)) {
      write(text)
      const opened = await world.another()
      const { verdict } = await opened.gate.explain({ tool: 'read_file', args: { path: 'a' } })
      expect(verdict.supervision, `${source}: ${JSON.stringify(text.slice(0, 120))}`).toBe('manual')
      expect((await opened.gate.policyProblems()).length).toBeGreaterThan(0)
      await opened.gate.close()
    }
  }, 60_000)

  it('truncated at any byte while it is written, it never allows a call that it denies', async () => {
    world = await openWorld({ policy: GOOD })
    const padded = `${GOOD}never_allow: [also_danger]\ntests:\n  - call: { tool: danger, args: {} }\n    expect: { supervision: deny }\n`
    write(padded)
    expect(await fate(world, DANGER)).toBe('denied')
    for (let cut = 0; cut < padded.length; cut += 3) {
      write(padded)
      await world.gate.explain(DANGER)
      expect(await world.gate.policyProblems()).toEqual([])
      write(padded.slice(0, cut))
      const ended = await fate(world, DANGER)
      const isBad = (await world.gate.policyProblems()).length > 0
      expect(
        isBad ? ['denied'] : ['denied', 'held'],
        `cut after ${cut} bytes: ${padded.slice(Math.max(0, cut - 20), cut)}`,
      ).toContain(ended)
    }
  }, 60_000)

  it('deleted, replaced by a folder, or unreadable while running, it keeps its denies', async () => {
    world = await openWorld({ policy: GOOD })
    rmSync(world.home.policy)
    mkdirSync(world.home.policy)
    expect(await fate(world, DANGER)).toBe('denied')
    expect((await world.gate.policyProblems())[0]?.message).toContain('not a regular file')
    rmSync(world.home.policy, { recursive: true })
    writeFileSync(world.home.policyFolder, '')
    expect(await fate(world, DANGER)).toBe('denied')
    rmSync(world.home.policyFolder)
    write(GOOD)
    expect(await fate(world, { tool: 'free_thing', args: {} })).toBe('ran')
  })

  it('an untrusted project file can tighten, not loosen', async () => {
    world = await openWorld({ policy: GOOD })
    mkdirSync(`${world.workspace}/.countersign`)
    writeFileSync(
      `${world.workspace}/.countersign/policy.yaml`,
      'version: 1\nauto_approve: ["*"]\ntools: { danger: automatic, free_thing: deny, asked_thing: automatic }\n',
    )
    expect(await fate(world, DANGER)).toBe('denied')
    expect(await fate(world, ASKED)).toBe('held')
    expect(await fate(world, UNKNOWN)).toBe('held')
    expect(await fate(world, { tool: 'free_thing', args: {} })).toBe('denied')
  })
})

describe('A23: a policy change while a call is held', () => {
  async function holding(): Promise<{ result: Promise<unknown>; ran: () => number; digest: string }> {
    world = await openWorld({ policy: GOOD })
    let ran = 0
    const result = world.gate.run(ASKED, () => (ran += 1))
    const { requestDigest } = await onlyHeld(world)
    return { result, ran: () => ran, digest: requestDigest }
  }

  it('closes the call if it is now denied', async () => {
    const { result, ran } = await holding()
    write(GOOD.replace('supervision: confirm', 'supervision: deny'))
    await world.clock.advance(200)
    expect(await result).toMatchObject({ kind: 'refusal', outcome: 'denied', rule: { id: 'asked' } })
    expect(ran()).toBe(0)
    expect((await world.entries()).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['policy-changed', 'denied']),
    )
  })

  it('releases the call once if it is now allowed', async () => {
    const { result, ran } = await holding()
    write(GOOD.replace('supervision: confirm', 'supervision: automatic'))
    await world.clock.advance(200)
    expect(await result).toMatchObject({ kind: 'completed' })
    expect(ran()).toBe(1)
  })

  it('reissues the request under stricter supervision, which an earlier answer does not satisfy', async () => {
    const { result, ran, digest } = await holding()
    write(GOOD.replace('supervision: confirm', 'supervision: manual'))
    await world.clock.advance(200)
    const view = await onlyHeld(world)
    expect(view.requestDigest).not.toBe(digest)
    expect(await world.decide(view, { kind: 'approve' })).toMatchObject({ accepted: false })
    await world.clock.advance(5 * 60_000)
    expect(await result).toMatchObject({ outcome: 'expired' })
    expect(ran()).toBe(0)
  })

  it('extends no deadline, and an invalid file only reissues the request', async () => {
    const { result, ran } = await holding()
    for (let minute = 0; minute < 4; minute += 1) {
      write(minute % 2 === 0 ? 'version: [' : `${GOOD}# ${minute}\n`)
      await world.clock.advance(60_000)
      await settled()
      expect(await world.held(), `minute ${minute}`).toHaveLength(1)
    }
    await world.clock.advance(60_000)
    expect(await result).toMatchObject({ outcome: 'expired' })
    expect(ran()).toBe(0)
  })
})
