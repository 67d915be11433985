import { compilePolicy } from '../../packages/core/src/policy/compile/compiled-policy.ts'
import type { Contender } from '../interleave.ts'
import { interleave } from '../interleave.ts'
import { ensurePeers } from '../peers/install.ts'
import type { BenchRow, BenchTable } from '../table.ts'
import { formatText } from '../table.ts'
import type { Engine } from './engine.ts'
import { floorEngine } from './floor.ts'
import { countersignEngine, policySetOf } from './ours.ts'
import { caslEngine, cedarEngine, geminiEngine } from './peers.ts'
import type { Workload } from './workload.ts'
import { makeWorkload } from './workload.ts'

const OURS = 'countersign'
const FLOOR = 'literal-bucket floor'
/** How many times faster than each peer one decision at 1,000 rules must be. */
const PEER_TARGETS: ReadonlyMap<string, number> = new Map([
  ['@casl/ability 7.0.1', 10],
  ['@google/gemini-cli-core 0.61.0', 100],
  ['@cedar-policy/cedar-wasm 4.13.0', 1_000],
])

/** One policy decision compared with peers and the floor, at 1,000 rules and from 10 to 10,000, and the cost of compiling. */
export async function benchPolicy(): Promise<BenchTable> {
  const rows: BenchRow[] = []
  const notes: string[] = []
  const workload = makeWorkload(1_000)
  const engines = [floorEngine(workload), countersignEngine(workload), ...(await peerEngines(workload, notes))]
  for (const engine of engines) notes.push(await agreement(engine, workload))
  const measured = await interleave(await Promise.all(engines.map((engine) => contender(engine, workload))))
  const ratio = measured.ratio(OURS, FLOOR)
  rows.push({ name: `1,000 rules: ${FLOOR}`, median: measured.median(FLOOR), unit: 'ns' })
  rows.push({
    name: `1,000 rules: ${OURS}, with rule and reason`,
    median: measured.median(OURS),
    unit: 'ns',
    ratio: `${ratio.toFixed(2)}× the floor`,
    target: '≤ 3×',
    ok: ratio <= 3,
  })
  for (const { name } of engines) {
    const target = PEER_TARGETS.get(name)
    if (target === undefined) continue
    const faster = measured.ratio(name, OURS)
    rows.push({
      name: `1,000 rules: ${name}`,
      median: measured.median(name),
      unit: 'ns',
      ratio: `ours is ${faster.toFixed(faster < 100 ? 1 : 0)}× faster`,
      target: `≥ ${target}×`,
      ok: faster >= target,
    })
  }
  rows.push(...(await scaling()), ...(await compiling()))
  return { title: 'Policy: one decision', rows, notes }
}

async function peerEngines(workload: Workload, notes: string[]): Promise<readonly Engine[]> {
  if (!ensurePeers()) {
    notes.push('peers are missing: run `npm install --prefix bench/peers`')
    return []
  }
  console.debug = () => {}
  notes.push('gemini-cli-core’s debug line per check is stubbed; cedar has no regular expressions and uses `like`')
  return [await caslEngine(workload), await geminiEngine(workload), await cedarEngine(workload)]
}

/** Every engine must name the matching rule, or none. */
async function agreement(engine: Engine, { calls }: Workload): Promise<string> {
  let right = 0
  for (const [at, call] of calls.entries()) if ((await engine.decide(at)) === call.expected) right += 1
  if (engine.name === OURS && right < calls.length) throw new Error(`${OURS} is wrong on ${calls.length - right} calls`)
  return `${engine.name} agrees on ${right} of ${calls.length} calls`
}

/** A warm engine: every call was judged once. */
async function contender(engine: Engine, { calls }: Workload): Promise<Contender> {
  for (const at of calls.keys()) await engine.decide(at)
  let at = 0
  const count = calls.length
  if (engine.asynchronous) {
    const run = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) {
        at = at + 1 === count ? 0 : at + 1
        await engine.decide(at)
      }
    }
    return { name: engine.name, run }
  }
  const run = (times: number): void => {
    for (let time = 0; time < times; time += 1) {
      at = at + 1 === count ? 0 : at + 1
      engine.decide(at)
    }
  }
  return { name: engine.name, run }
}

async function scaling(): Promise<readonly BenchRow[]> {
  const sizes = [10, 100, 1_000, 10_000]
  const contenders: Contender[] = []
  for (const size of sizes) {
    const workload = makeWorkload(size)
    contenders.push({ ...(await contender(countersignEngine(workload), workload)), name: String(size) })
  }
  const measured = await interleave(contenders)
  return sizes.map((size) => {
    const grown = measured.ratio(String(size), '10')
    const name = `${size.toLocaleString('en')} rules: ${OURS}`
    const row = {
      name,
      median: measured.median(String(size)),
      unit: 'ns' as const,
      ratio: `${grown.toFixed(2)}× at 10`,
    }
    return size === 10_000 ? { ...row, target: '≤ 8×', ok: grown <= 8 } : row
  })
}

async function compiling(): Promise<readonly BenchRow[]> {
  const workload = makeWorkload(10_000)
  const set = policySetOf(workload.rules)
  const compile = (times: number): void => {
    for (let time = 0; time < times; time += 1) compilePolicy(set)
  }
  const first = (times: number): void => {
    for (let time = 0; time < times; time += 1) {
      const engine = countersignEngine(workload)
      for (const at of workload.calls.keys()) engine.decide(at)
    }
  }
  const measured = await interleave([
    { name: 'compile', run: compile },
    { name: 'first', run: first },
  ])
  const compiled = measured.median('compile') / 1e6
  const used = measured.median('first') / 1e6
  return [
    { name: 'compile 10,000 rules', median: compiled, unit: 'ms', target: '≤ 150 ms', ok: compiled <= 150 },
    { name: 'compile 10,000 rules and judge 256 calls for the first time', median: used, unit: 'ms' },
  ]
}

if (import.meta.main) console.log(formatText(await benchPolicy()))
