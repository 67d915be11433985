import { setTimeout as pause } from 'node:timers/promises'
import { type Call, type Decision, type HeldCallView, OUTCOMES } from '@countersign/core'
import { openCrypto, openSqliteStore, type RemoteGate } from '@countersign/node'
import type { Browser } from '@countersign/testing/inbox/signed-in-client'
import { median } from '../interleave.ts'
import type { BenchRow, BenchTable } from '../table.ts'
import { ALL_HELD } from './held-policy.ts'
import { type MemoryFigures, openServiceStage, type ServiceStage } from './stage.ts'

interface Size {
  readonly held: number
  readonly deciders: number
  readonly ms: number
}

const FULL: Size = { held: 2_000, deciders: 50, ms: 60_000 }
const QUICK: Size = { held: 200, deciders: 10, ms: 10_000 }

const ASKERS = 20
const ARGUMENT_BYTES = 256
const SAMPLE_MS = 1_000
/** A response that takes longer counts as lost. */
const PATIENCE_MS = 10_000
/** One in this many calls is decided by two clients at once, and one is rejected. */
const RACED = 10
const REJECTED = 7

/** The results seen by the clients, which must agree with the journal. */
interface Tally {
  readonly permits: Map<string, number>
  readonly refusals: Map<string, number>
  readonly accepted: Map<string, number>
  readonly times: number[]
  lateAnswers: number
  odd: number
}

/** Keeps a number of calls held while many clients decide them: each decided call is replaced by a new one. */
export async function benchLoad({ quick }: { readonly quick: boolean }): Promise<BenchTable> {
  const size = quick ? QUICK : FULL
  const stage = await openServiceStage({
    policy: ALL_HELD,
    mostHeld: size.held * 2,
  })
  try {
    return await load(stage, size)
  } finally {
    await stage.close()
  }
}

async function load(stage: ServiceStage, size: Size): Promise<BenchTable> {
  const tally: Tally = {
    permits: new Map(),
    refusals: new Map(),
    accepted: new Map(),
    times: [],
    lateAnswers: 0,
    odd: 0,
  }
  const queue: HeldCallView[] = []
  let shown = 0
  const browsers: Browser[] = []
  for (let made = 0; made < size.deciders; made += 1) browsers.push(await stage.browse())
  const [first, ...others] = browsers
  await first?.stream(({ event, data }) => {
    if (event !== 'held') return
    shown += 1
    queue.push(JSON.parse(data) as HeldCallView)
  })
  for (const browser of others) await browser.stream()

  let open = true
  const gates: RemoteGate[] = []
  for (let made = 0; made < ASKERS; made += 1) gates.push(await stage.connect())
  const askers = gates.flatMap((gate, at) =>
    Array.from({ length: size.held / ASKERS }, (_, index) => askOn(gate, `${at}/${index}`, () => open, tally)),
  )
  while (shown < size.held) await pause(10)

  const before = await stage.memory(true)
  const samples: { readonly at: number; readonly rssMb: number; readonly heapMb: number }[] = []
  const start = performance.now()
  const end = start + size.ms
  const deciding = browsers.map(async (browser) => {
    while (performance.now() < end) {
      const view = queue.shift()
      if (view === undefined) {
        await pause(1)
        continue
      }
      const nth = tally.times.length
      const signed = stage.sign(view, decisionOf(nth))
      const began = performance.now()
      const rivals = nth % RACED === 0 ? [browser, browsers[nth % browsers.length] ?? browser] : [browser]
      const answers = await Promise.all(rivals.map((one) => one.decide(signed)))
      tally.times.push(performance.now() - began)
      for (const { status, receipt } of answers) {
        if (receipt.accepted) count(tally.accepted, view.id)
        else if (status === 409) tally.lateAnswers += 1
        else tally.odd += 1
      }
    }
  })
  const sampling = (async () => {
    while (performance.now() < end) {
      const { rssMb, heapMb } = await stage.memory(false)
      samples.push({ at: (performance.now() - start) / 60_000, rssMb, heapMb })
      await pause(SAMPLE_MS)
    }
  })()
  await Promise.all([...deciding, sampling])
  const took = performance.now() - start
  open = false
  const after = await stage.memory(true)
  const patience = performance.now() + PATIENCE_MS
  while (sum(tally.permits) + sum(tally.refusals) < sum(tally.accepted) && performance.now() < patience) await pause(10)
  for (const browser of browsers) browser.close()
  for (const gate of gates) gate.close()
  await Promise.all(askers)
  await stage.stop()
  return tableOf(size, tally, { took, samples, before, after }, await journalOf(stage))
}

function decisionOf(nth: number): Decision {
  return nth % REJECTED === 0 ? { kind: 'reject', reason: 'no' } : { kind: 'approve' }
}

/** One caller: asks, runs, settles, and asks again until the end. */
async function askOn(gate: RemoteGate, name: string, isOpen: () => boolean, tally: Tally): Promise<void> {
  for (let nth = 0; isOpen(); nth += 1) {
    const note = `${name}/${nth} `.padEnd(ARGUMENT_BYTES, 'x')
    const call: Call = { tool: 'forecast', args: { note }, description: { kind: 'read' } }
    const answer = await gate.ask(call)
    if (answer.kind === 'permit') {
      count(tally.permits, answer.callId)
      await gate.settle(answer, 'completed').catch(() => {})
    } else if (answer.outcome === 'rejected') count(tally.refusals, answer.callId)
    else if (isOpen()) {
      tally.odd += 1
      await pause(1) // a stopped service refuses at once: lets the loop see why
    }
  }
}

interface JournalTally {
  readonly held: Map<string, number>
  readonly decided: Map<string, number>
  readonly started: Map<string, number>
  readonly ended: Map<string, number>
}

const ENDS: ReadonlySet<string> = new Set(OUTCOMES)

/** The journal's entries of every call, read after the service stopped. */
async function journalOf({ home }: ServiceStage): Promise<JournalTally> {
  const found: JournalTally = { held: new Map(), decided: new Map(), started: new Map(), ended: new Map() }
  const store = await openSqliteStore(home.store, { crypto: openCrypto(home), readOnly: true })
  try {
    const { size } = await store.head()
    for (let from = 1; from <= size; from += 1_000) {
      for (const { line } of await store.entries(from, Math.min(size, from + 999))) {
        const { kind, call } = JSON.parse(line) as { readonly kind: string; readonly call: string | null }
        if (call === null) continue
        if (kind === 'held' || kind === 'decided' || kind === 'started') count(found[kind], call)
        if (ENDS.has(kind)) count(found.ended, call)
      }
    }
    return found
  } finally {
    await store.close()
  }
}

interface Course {
  readonly took: number
  readonly samples: readonly { readonly at: number; readonly rssMb: number; readonly heapMb: number }[]
  readonly before: MemoryFigures
  readonly after: MemoryFigures
}

function tableOf(size: Size, tally: Tally, course: Course, journal: JournalTally): BenchTable {
  const accepted = [...tally.accepted.keys()]
  const answered = (id: string) => tally.permits.has(id) || tally.refusals.has(id)
  const lost =
    accepted.filter((id) => !answered(id) || !journal.decided.has(id)).length +
    [...journal.held.keys()].filter((id) => !journal.ended.has(id)).length
  const unasked = [...tally.permits.keys()].filter((id) => !tally.accepted.has(id)).length
  const twice =
    [tally.accepted, tally.permits, tally.refusals, journal.decided, journal.started, journal.ended]
      .map((one) => [...one.values()].filter((times) => times > 1).length)
      .reduce((all, one) => all + one) + unasked
  const { took, samples, before, after } = course
  const later = samples.filter(({ at }) => at * 60_000 > size.ms / 3)
  const none = { target: '0', unit: 'calls' } as const
  const rows: readonly BenchRow[] = [
    { name: 'held calls at any time', median: size.held, unit: 'calls', ratio: `${size.deciders} deciding clients` },
    {
      name: 'decided',
      median: accepted.length,
      unit: 'calls',
      ratio: `${((accepted.length * 1_000) / took).toFixed(0)} per second`,
    },
    { name: 'decided by two at once, and the later one informed', median: tally.lateAnswers, unit: 'calls' },
    { name: 'lost', median: lost, ...none, ok: lost === 0 },
    {
      name: 'decided, permitted or ended twice, or permitted without a decision',
      median: twice,
      ...none,
      ok: twice === 0,
    },
    { name: 'unexpected responses', median: tally.odd, ...none, ok: tally.odd === 0 },
    { name: 'from sending a decision to its receipt, all clients busy', median: median(tally.times) * 1e6, unit: 'ns' },
    { name: 'memory at the start (after GC)', median: before.rssMb, unit: 'MB' },
    { name: 'memory at the end (after GC)', median: after.rssMb, unit: 'MB' },
    { name: 'heap at the start (after GC)', median: before.heapMb, unit: 'MB' },
    { name: 'heap at the end (after GC)', median: after.heapMb, unit: 'MB' },
    {
      name: 'memory growth per minute, last two thirds',
      median: slope(later.map(({ at, rssMb }) => [at, rssMb])),
      unit: 'MB',
    },
  ]
  return {
    title: 'Service: load',
    rows,
    notes: [
      `for ${(took / 1_000).toFixed(0)} s; each decided call is replaced by another; every client reads the stream`,
      'lost: accepted but not answered or not journaled, or held without an outcome; counted on both sides',
      `in ${(took / 60_000).toFixed(1)} minutes, live objects grew by ${((after.heapMb - before.heapMb) / (took / 60_000)).toFixed(1)} MB per minute, buffers by ${((after.externalMb - before.externalMb) / (took / 60_000)).toFixed(1)}`,
      'memory then grows only until V8’s next major collection, which `serve` triggers early (`keepHeapSmall`); without that it levels off at twice as much after about 80 s',
    ],
  }
}

/** Least squares. */
function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((all, one) => all + one, 0) / values.length
  const x = mean(points.map(([at]) => at))
  const y = mean(points.map(([, value]) => value))
  const over = points.reduce((all, [at, value]) => all + (at - x) * (value - y), 0)
  return over / points.reduce((all, [at]) => all + (at - x) ** 2, 0)
}

function count(into: Map<string, number>, id: string): void {
  into.set(id, (into.get(id) ?? 0) + 1)
}

function sum(of: ReadonlyMap<string, number>): number {
  return [...of.values()].reduce((all, one) => all + one, 0)
}
