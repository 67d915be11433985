/**
 * A process that holds many calls at once and says what that took, as one line of JSON.
 * Run as: node --conditions=source --expose-gc memory-child.ts <calls>
 */
import { rmSync } from 'node:fs'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { type HeldCallView, openView, signDecision } from '@countersign/core'
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

const count = Number(process.argv[2])
const before = process.memoryUsage().rss
const stage = await openStage({ policy: POLICY, bounds: { held: count, heldInSession: count } })
let held = 0
let last: HeldCallView | undefined
stage.gate.subscribe((event) => {
  if (event.kind !== 'held') return
  held += 1
  last = event.view
})

const start = performance.now()
for (let made = 1; made <= count; made += 1) {
  const note = `${made} `.padEnd(ARGUMENT_BYTES - '{"note":""}'.length, 'x')
  const result = stage.gate.run({ tool: 'forecast', args: { note }, description: { kind: 'read' } }, () => ran())
  result.catch(() => {})
  while (held < made) await turnOfTheLoop()
}
const holdMs = performance.now() - start

globalThis.gc?.()
await turnOfTheLoop()
globalThis.gc?.()
const { rss } = process.memoryUsage()

if (last === undefined) throw new Error('nothing is held')
const opened = openView(last, stage.ports.crypto)
const signed = signDecision(opened, { kind: 'approve' }, stage.approver.signer, { surface: 'bench', at: Date.now() })
const decided = performance.now()
const receipt = stage.desk.decide(signed.held, signed)

async function ran(): Promise<void> {
  const decideMs = performance.now() - decided
  if (!(await receipt).accepted) throw new Error('the decision was not taken')
  const figures: HeldFigures = { count, rssMb: rss / 1e6, ownMb: (rss - before) / 1e6, holdMs, decideMs }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
  rmSync(stage.root, { recursive: true, force: true })
  process.exit(0)
}
