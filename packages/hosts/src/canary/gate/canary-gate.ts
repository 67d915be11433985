import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Decision,
  type HeldCallView,
  openView,
  type PastCall,
  type Receipt,
  signDecision,
} from '@countersign/core'
import { type Home, openApprover, openGate, openHome } from '@countersign/node'

/** A gate with its own home, so that a test never touches the person's queue, grants or journal. */
export interface CanaryGate {
  readonly home: Home
  /** The calls that are held now. */
  held(): Promise<readonly HeldCallView[]>
  decide(view: HeldCallView, decision: Decision): Promise<Receipt>
  /** Past calls, newest first; those that a dead agent left behind are closed. */
  history(): Promise<readonly PastCall[]>
  close(): Promise<void>
}

/** Creates a home in a folder and opens its desk in this process. Agents reach the gate only through their hooks. */
export async function openCanaryGate(folder: string, workspace: string, policy: string): Promise<CanaryGate> {
  const home = openHome(join(folder, 'gate'))
  writeFileSync(home.policy, policy, { mode: 0o600 })
  const { gate, desk, ports } = await openGate({ home, workspace, session: 'none', tier: 'T1' })
  const approver = openApprover(home, { name: 'canary' })
  return {
    home,
    held: () => desk.list(),
    decide(view, decision) {
      const words = { surface: 'canary', at: Date.now() }
      return desk.decide(view.id, signDecision(openView(view, ports.crypto), decision, approver.signer, words))
    },
    async history() {
      await desk.sweep()
      return desk.history()
    },
    async close() {
      await gate.close()
      await ports.store.close()
    },
  }
}
