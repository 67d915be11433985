import { createGate, formatProblem, safeText } from '@countersign/core'
import { type Home, openPorts, placesOf } from '@countersign/node'
import type { Check } from './check.ts'

/** Whether the gate of this home works as written: its store opens, and the policy in its files is the one in force. */
export async function gateChecks(home: Home): Promise<readonly Check[]> {
  try {
    const places = placesOf(home, home.dir)
    const { gate } = await createGate(await openPorts(home, places), { places, session: 'none', observer: true })
    const [problem] = gate.policyProblems()
    await gate.close()
    const store: Check = { name: 'store', holds: true, words: 'the store opens' }
    if (problem === undefined)
      return [store, { name: 'policy', holds: true, words: 'the policy is in force as written' }]
    return [
      store,
      {
        name: 'policy',
        holds: false,
        words: safeText(`the policy is not in force, and every call is held: ${formatProblem(problem)}`),
        fix: 'mend it; `countersign policy lint` shows every problem',
      },
    ]
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [
      {
        name: 'store',
        holds: false,
        words: safeText(`the store does not open, and nothing runs: ${why}`),
        fix: 'put back a copy of store.db, or move it away: calls, grants and the journal begin anew',
      },
    ]
  }
}
