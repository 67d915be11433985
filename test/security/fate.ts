import type { Call } from '@countersign/core'
import type { World } from '@countersign/testing/gate/world'

/** The fate of a call that nobody decides: `ran`, `held` (then withdrawn), or the outcome of its refusal. */
export async function fate(world: World, call: Call): Promise<string> {
  let ran = 0
  let wasHeld = false
  const leaving = new AbortController()
  const stop = world.gate.subscribe((event) => {
    if (event.kind !== 'held') return
    wasHeld = true
    leaving.abort()
  })
  const result = await world.gate.run(call, () => (ran += 1), leaving.signal)
  stop()
  if (ran > 0) return wasHeld ? 'held and run' : 'ran'
  if (wasHeld) return 'held'
  return result.kind === 'refusal' ? result.outcome : result.kind
}

/** A call of a shell command. */
export function shell(command: string): Call {
  return { tool: 'execute_command', args: { command }, containable: true }
}

/** Rejects calls that a failed test left held, so that the next test starts clean. */
export async function drain(world: World): Promise<void> {
  for (const view of await world.desk.list()) await world.decide(view, { kind: 'reject' })
}
