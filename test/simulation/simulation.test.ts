import { writeFileSync } from 'node:fs'
import {
  type Decision,
  type Gate,
  type HeldCallView,
  openView,
  signDecision,
  type ToolResult,
  verifyJournal,
} from '@countersign/core'
import { faultyPorts, randomFaults } from '@countersign/testing/faults/faulty-ports'
import { openWorld, type World } from '@countersign/testing/gate/world'
import { type Random, random } from '@countersign/testing/seeded-random'
import { passTime, settled } from '@countersign/testing/simulated-clock'
import { STORE } from '@countersign/testing/store/test-store'
import { until } from '@countersign/testing/until'
import { describe, expect, it } from 'vitest'

const POLICY = `
version: 1
defaults: { timeout: 1m }
rules:
  - { id: free, tool: free_thing, supervision: automatic }
  - { id: asked, tool: asked_thing, supervision: confirm }
  - { id: careful, tool: careful_thing, supervision: manual }
  - { id: never, tool: never_thing, supervision: deny }
`

const TOOLS = ['free_thing', 'asked_thing', 'asked_thing', 'careful_thing', 'never_thing'] as const

interface Effect {
  readonly call: string
  readonly tool: string
  readonly started: boolean
  readonly approved: boolean
  readonly rejected: boolean
}

/** What one random run did, for the oracle. */
interface History {
  readonly effects: Effect[]
  readonly approved: Set<string>
  readonly rejected: Set<string>
  readonly results: Promise<ToolResult>[]
}

async function simulate(seed: number, steps: number): Promise<void> {
  const luck = random(seed)
  const history: History = { effects: [], approved: new Set(), rejected: new Set(), results: [] }
  let faulty = false
  const world = await openWorld({
    policy: POLICY,
    options: { bounds: { heldInSession: 20 } },
    wrapPorts: (ports) =>
      faultyPorts(
        ports,
        randomFaults(luck, 0.06, () => faulty),
      ),
  })
  try {
    const raw = await world.another({}, (ports) => ports) // no faults for the oracle and the person's desk
    let gate: Gate = world.gate
    faulty = true
    for (let step = 0; step < steps; step += 1) {
      await act(step)
      await settled(3)
    }
    faulty = false
    await world.clock.advance(6 * 60_000) // after every deadline and port timeout
    const results = await passTime(world.clock, Promise.all(history.results))
    check(history, results)
    await passTime(world.clock, gate.close())
    const verdict = await verifyJournal(raw.ports.store, {
      crypto: raw.ports.crypto,
      publicKeys: [raw.ports.signer.publicKey],
      kept: await raw.ports.heads.kept(),
    })
    expect(verdict).toMatchObject({ kind: 'intact' })

    async function act(step: number): Promise<void> {
      const dice = luck.below(22)
      if (dice < 5) start(`c${step}`)
      else if (dice < 7) void submit(`s${step}`)
      else if (dice < 14) await decideSomething()
      else if (dice < 17) await world.clock.advance(luck.below(40_000))
      else if (dice < 18) world.clock.jump((luck.next() - 0.5) * 1e10)
      else if (dice < 19) await raw.desk.grants().list()
      // Stricter or the same, never looser: decisions must survive it, and it must not make anything run.
      else if (dice < 21) writeFileSync(world.home.policy, POLICY.replace('1m', luck.pick(['1m', '50s', '45s'])))
      else gate = await restart()
    }

    /** The tool: checks that it was allowed to run. */
    async function effect(id: string, tool: string): Promise<void> {
      const entries = await raw.ports.store.entriesOf(id)
      history.effects.push({
        call: id,
        tool,
        started: entries.some((entry) => entry.line.includes('"kind":"started"')),
        approved: history.approved.has(id),
        rejected: history.rejected.has(id),
      })
      if (luck.chance(0.2)) throw new Error('the tool broke')
    }

    function start(id: string): void {
      const tool = luck.pick(TOOLS)
      const leaving = new AbortController()
      if (luck.chance(0.2)) world.clock.after(luck.below(50_000), () => leaving.abort())
      const call = { id, tool, args: { n: luck.below(5) } }
      history.results.push(gate.run(call, () => effect(id, tool), leaving.signal))
    }

    /** Submits a call and collects it once or twice, perhaps from a later process. */
    async function submit(id: string): Promise<void> {
      const tool = luck.pick(TOOLS)
      const ticket = await gate.submit({ id, tool, args: { n: luck.below(5) } }).catch(() => undefined)
      if (ticket === undefined) return
      for (let times = luck.below(2); times >= 0; times -= 1) {
        const collected = gate.wait(ticket).then(async (permit): Promise<ToolResult> => {
          if (permit.kind === 'refusal') return permit
          await effect(id, tool).catch(() => {})
          return { kind: 'completed', callId: id, value: null, recorded: false }
        })
        history.results.push(collected)
      }
    }

    async function decideSomething(): Promise<void> {
      const views = await raw.desk.list()
      if (views.length === 0) return
      const view = luck.pick(views)
      const decision = randomDecision(view, luck, world)
      const opened = openView(view, world.ports.crypto)
      const signed = signDecision(opened, decision, world.approver.signer, { surface: 'sim', at: world.clock.now() })
      const forged = luck.chance(0.2)
      const receipt = await raw.desk.decide(
        view.id,
        forged ? { ...signed, signature: `AAAA${signed.signature.slice(4)}` } : signed,
      )
      if (forged) expect(receipt.accepted, `seed ${seed}: a forged decision was accepted`).toBe(false)
      else if (receipt.accepted) history[decision.kind === 'approve' ? 'approved' : 'rejected'].add(view.id)
    }

    /** Simulates a restart: a new gate on the same store, with its own faults. */
    async function restart(): Promise<Gate> {
      await passTime(world.clock, gate.close())
      const open = () =>
        passTime(
          world.clock,
          world.another().catch(() => undefined),
        )
      return (await until('a gate that opens', open, { everyMs: 0 })).gate // retried, as a person would
    }
  } finally {
    await world.close()
  }
}

function randomDecision(view: HeldCallView, luck: Random, world: World): Decision {
  if (luck.chance(0.4)) return { kind: 'reject' }
  const { code } = openView(view, world.ports.crypto)
  return { kind: 'approve', code, reason: 'simulated', ...(luck.chance(0.2) ? { edited: { n: 9 } } : {}) }
}

/** The oracle: checks the whole history, not single steps. */
function check(history: History, results: readonly ToolResult[]): void {
  const ran = history.effects.map((effect) => effect.call)
  expect(new Set(ran).size, 'nothing runs twice').toBe(ran.length)
  for (const effect of history.effects) {
    expect(effect.tool, 'a denied tool never runs').not.toBe('never_thing')
    expect(effect.started, 'the intent is recorded before the effect').toBe(true)
    if (effect.tool !== 'free_thing') expect(effect.approved, 'nothing runs unasked').toBe(true)
    expect(effect.rejected, 'what was rejected does not run').toBe(false)
  }
  for (const result of results) expect(['completed', 'failed', 'refusal']).toContain(result.kind)
}

describe('simulation with faults at every port', () => {
  const [usual, full] = STORE === 'postgres' ? [6, 100] : [20, 1000]
  const runs = Number(process.env.COUNTERSIGN_RUNS ?? (process.env.COUNTERSIGN_FULL === undefined ? usual : full))
  const first = Number(process.env.COUNTERSIGN_SEED ?? Math.floor(Math.random() * 1_000_000))
  it(
    `keeps every law in ${runs} random runs from seed ${first}`,
    async () => {
      for (let seed = first; seed < first + runs; seed += 1) {
        try {
          await simulate(seed, 60)
        } catch (error) {
          throw new Error(
            `seed ${seed}: ${error instanceof Error ? error.message : error} (rerun with COUNTERSIGN_SEED=${seed})`,
            { cause: error },
          )
        }
      }
    },
    runs * 15_000,
  )
})
