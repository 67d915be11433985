import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Call, type Decision, openView, type Receipt, type Sandbox, signDecision } from '@countersign/core'
import { type Home, makeEnrolmentCode, type OpenedGate, openApprover, openGate, openHome } from '@countersign/node'
import { startService } from '@countersign/server'
import { quarantineOf } from '../gate/pinned-tools.ts'
import { makeShop, SCENARIO_POLICY } from './scenario.ts'

const DIST = fileURLToPath(new URL('../../../packages/web/dist', import.meta.url))

/** Containable calls are judged the same on every machine; none of them runs. */
const WORKS: Sandbox = { status: () => ({ kind: 'works', name: 'bubblewrap' }) }

/** A running service with the built inbox, and a gate on the same store that asks. */
export interface InboxService {
  readonly url: string
  readonly home: Home
  readonly workspace: string
  readonly opened: OpenedGate
  /** A one-time sign-in link. */
  link(): string
  /** An enrolment code, as `countersign approvers add` prints it. */
  code(): string
  /** Submits a call, which is held until it is decided and then settled as completed. */
  hold(call: Call): Promise<string>
  /** Decides a held call as from a terminal. */
  decide(id: string, decision: Decision): Promise<Receipt>
  /** Withdraws all held calls. */
  clear(): Promise<void>
  close(): Promise<void>
}

/** Submits a call to a gate, which is held until it is decided and then settled as completed. */
export async function holdAt({ gate }: OpenedGate, call: Call): Promise<string> {
  const ticket = await gate.submit(call)
  void gate
    .wait(ticket)
    .then((answer) => (answer.kind === 'permit' ? gate.settle(answer, 'completed') : undefined))
    .catch(() => undefined)
  return ticket.callId
}

/** Starts a service in `root`, which the caller removes. `more` are files of `policy.d` by name. */
export async function startInboxService(
  root: string,
  policy = SCENARIO_POLICY,
  more: Readonly<Record<string, string>> = {},
  inbox = DIST,
): Promise<InboxService> {
  const workspace = join(root, 'shop')
  mkdirSync(workspace)
  makeShop(workspace)
  const home = openHome(join(root, 'home'))
  writeFileSync(home.policy, policy, { mode: 0o600 })
  if (Object.keys(more).length > 0) mkdirSync(home.policyFolder, { mode: 0o700, recursive: true })
  for (const [name, text] of Object.entries(more)) writeFileSync(join(home.policyFolder, name), text, { mode: 0o600 })
  const managed = { folder: join(root, 'managed'), owner: process.getuid?.() ?? 0 }
  const bounds = { heldInSession: 2_000, held: 4_000, argumentBytes: 4_000_000 }
  const quarantine = quarantineOf(home)
  const service = await startService({ home, version: '0.1.0', port: 0, managed, bounds, inbox, quarantine })
  const { url } = service
  const opened = await openGate({ home, workspace, managed, bounds, sandbox: WORKS })
  return {
    url,
    home,
    workspace,
    opened,
    link: () => service.link().link,
    code: () => makeEnrolmentCode(home, Date.now()),
    hold: (call) => holdAt(opened, call),
    async decide(id, decision) {
      const view = await opened.desk.view(id)
      if (view === undefined) throw new Error(`${id} is not held`)
      const { signer } = openApprover(home, { name: 'Ana' })
      const shown = openView(view, opened.ports.crypto)
      return opened.desk.decide(id, signDecision(shown, decision, signer, { surface: 'terminal', at: Date.now() }))
    },
    async clear() {
      for (const { id } of await opened.desk.list()) await opened.gate.withdraw({ kind: 'ticket', callId: id })
    },
    async close() {
      await service.stop()
      await opened.gate.close()
    },
  }
}
