import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Decision, Gate, HeldCallView } from '@countersign/core'
import { decide, openApprover, openGate, openHome } from '@countersign/node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { until } from '@countersign/testing/until'
import { onTestFinished } from 'vitest'

/** `look` needs nobody, `send` and `drop` need a person, `wipe` is denied. */
const POLICY = `version: 1
rules:
  - { tool: look, supervision: automatic }
  - { tool: send, supervision: confirm, timeout: 24h }
  - { tool: drop, supervision: confirm, timeout: 24h }
  - { tool: constructor, supervision: confirm }
  - { tool: wipe, supervision: deny }
`

/** A real gate on a store in a temporary folder, and Ana at its desk. */
export interface OpenDesk {
  readonly root: string
  readonly gate: Gate
  /** Waits for this number of held calls. */
  held(count: number): Promise<readonly HeldCallView[]>
  /** How many calls are held now. */
  heldNow(): Promise<number>
  /** Waits for this number of held calls and decides them all. */
  decideAll(count: number, decision: Decision): Promise<void>
  /** Decides the calls that are held now, perhaps none. */
  decideHeld(decision: Decision): Promise<void>
  /** Outcomes of past calls, oldest first. */
  outcomes(): Promise<readonly string[]>
}

/** Opens it for one test. Gates of other processes can open the same `root`. */
export async function openDesk(session: 'session' | 'none' = 'session'): Promise<OpenDesk> {
  const root = temporaryFolder()
  const home = openHome(join(root, 'home'))
  writeFileSync(home.policy, POLICY, { mode: 0o600 })
  mkdirSync(join(root, 'project'))
  const { gate, desk, ports } = await openGate({ home: home.dir, workspace: join(root, 'project'), session })
  onTestFinished(() => gate.close())
  const approver = openApprover(home, { name: 'Ana' })

  const held = (count: number) =>
    until(`${count} held calls`, async () => {
      const views = await desk.list()
      return views.length >= count ? views : undefined
    })
  async function decideHeld(decision: Decision): Promise<void> {
    for (const view of await desk.list())
      await decide(desk, view, decision, { approver, surface: 'test', crypto: ports.crypto })
  }
  return {
    root,
    gate,
    held,
    heldNow: async () => (await desk.list()).length,
    decideHeld,
    async decideAll(count, decision) {
      await held(count)
      await decideHeld(decision)
    },
    async outcomes() {
      const past = await desk.history({})
      return past.map((call) => `${call.tool} ${call.outcome}`).reverse()
    },
  }
}
