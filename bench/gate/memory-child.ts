/**
 * A process that holds many calls at once and prints what that took as one line of JSON.
 * Run as: node --conditions=countersign-source --expose-gc memory-child.ts <calls> [small]
 */
import { rmSync } from 'node:fs'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { type HeldCallView, openView, signDecision } from '@countersign/core'
import { keepHeapSmall } from '@countersign/node'
import { median } from '../interleave.ts'
import type { HeldFigures } from './memory.ts'
import { openStage } from './stage.ts'

const POLICY = `version: 1
defaults: { timeout: 30m }
rules:
  - id: ask-reads
    kind: read
    supervision: confirm
`

const ARGUMENT_BYTES = 1024
const DECISIONS = 51

const count = Number(process.argv[2])
if (process.argv[3] === 'small') keepHeapSmall()
const stage = await openStage({ policy: POLICY, bounds: { held: count, heldInSession: count } })
const views: HeldCallView[] = []
const began = new Map<string, number>()
let held = 0
stage.gate.subscribe((event) => {
  if (event.kind === 'started') began.set(event.callId, performance.now())
  if (event.kind !== 'held') return
  held += 1
  if (views.length < DECISIONS) views.push(event.view)
})

const start = performance.now()
for (let made = 1; made <= count; made += 1) {
  const note = `${made} `.padEnd(ARGUMENT_BYTES - '{"note":""}'.length, 'x')
  void stage.gate.run({ tool: 'forecast', args: { note }, description: { kind: 'read' } }, () => {})
  while (held < made) await turnOfTheLoop()
}
const holdMs = (performance.now() - start) / count

await globalThis.gc?.()
const rssMb = process.memoryUsage().rss / 1e6
// Simulates memory pressure: V8 releases its reserve, but not what the held calls need.
await globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
const pressedMb = process.memoryUsage().rss / 1e6

const times: number[] = []
for (const view of views) {
  const opened = openView(view, stage.ports.crypto)
  const signed = signDecision(opened, { kind: 'approve' }, stage.approver.signer, { surface: 'bench', at: Date.now() })
  const decided = performance.now()
  const receipt = await stage.desk.decide(view.id, signed)
  if (!receipt.accepted) throw new Error(`the decision was not accepted: ${receipt.message}`)
  await turnOfTheLoop()
  times.push((began.get(view.id) ?? Number.NaN) - decided)
}

const figures: HeldFigures = { count, rssMb, pressedMb, holdMs, decideMs: median(times) }
process.stdout.write(`${JSON.stringify(figures)}\n`)
rmSync(stage.root, { recursive: true, force: true })
process.exit(0)
