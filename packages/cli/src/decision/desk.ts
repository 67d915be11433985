import {
  CountersignError,
  createGate,
  type Desk,
  lateWords,
  markOf,
  type OpenedView,
  openView,
  type Ports,
  safeText,
} from '@countersign/core'
import { type Home, openPorts, placesOf } from '@countersign/node'
import { existingHome } from '../home/existing-home.ts'
import type { Io } from '../terminal/io.ts'

/** The desk of a home, for deciding from any terminal. */
export interface OpenDesk {
  readonly desk: Desk
  readonly home: Home
  readonly ports: Ports
  close(): Promise<void>
}

const NO_POLICY: Ports['policyFiles'] = { version: () => 'none', read: async () => [] }

/** Opens the desk of the home. It judges no calls, so it works from any folder. */
export async function openDesk(io: Io): Promise<OpenDesk> {
  const home = existingHome(io)
  const places = placesOf(home, home.dir)
  // Skips reading the policy, which would dominate the start-up time: a desk judges no calls.
  const ports: Ports = { ...(await openPorts(home, places)), policyFiles: NO_POLICY }
  const { gate, desk } = await createGate(ports, { places, session: 'none', observer: true })
  return { desk, home, ports, close: () => gate.close() }
}

/** Opens the desk, runs `use`, and always closes it. */
export async function withDesk<T>(io: Io, use: (desk: Desk, open: OpenDesk) => Promise<T>): Promise<T> {
  const open = await openDesk(io)
  try {
    return await use(open.desk, open)
  } finally {
    await open.close()
  }
}

/**
 * Finds a held call by its short id and verifies its digests. SECURITY: A11 nothing else is accepted: callers choose ids,
 * and a shorter prefix may soon match another call.
 */
export async function findHeld(typed: string, { desk, ports }: OpenDesk): Promise<OpenedView> {
  const held = await desk.list()
  const found = held.filter((view) => isNamed(view, typed))
  if (found.length === 1 && found[0] !== undefined) return openView(found[0], ports.crypto)
  const shown = safeText(typed)
  if (found.length > 1)
    throw unknown(
      `\`${shown}\` matches ${found.length} held calls; type more of its \`requestDigest\` from \`held --json\``,
    )
  await refuseClosed(typed, desk, ports)
  const begun = held.some(({ id, requestDigest }) => typed !== '' && (id === typed || requestDigest.startsWith(typed)))
  throw begun
    ? unknown(`\`${shown}\` is only part of a short id; type all of it, as \`countersign held\` shows it`)
    : unknown(`no held call \`${shown}\`; list them with \`countersign held\``)
}

/** Matches the full short id, or a longer prefix of the digest. */
function isNamed(view: { readonly requestDigest: string }, typed: string): boolean {
  return typed.length >= markOf(view).length && view.requestDigest.startsWith(typed)
}

/** Reports the outcome of a call that is already over. INVARIANT: L6. */
async function refuseClosed(typed: string, desk: OpenDesk['desk'], { approvers }: Ports): Promise<void> {
  const past = await desk.history({ state: ['decided', 'started', 'closed'], limit: 1000 })
  const over = past.find(({ requestDigest }) => requestDigest !== null && isNamed({ requestDigest }, typed))
  if (over === undefined) return
  const { decision, outcome, state, closedAt, openedAt } = over
  const by = decision === null ? null : ((await approvers.find(decision.approver))?.name ?? decision.approver)
  const at = decision?.at ?? closedAt ?? openedAt
  const words = lateWords({ state: outcome ?? state, by, at }, decision?.surface)
  throw new CountersignError('CS_DECISION_LATE', `too late: call \`${safeText(typed)}\` is already ${safeText(words)}`)
}

function unknown(message: string): CountersignError {
  return new CountersignError('CS_DECISION_UNKNOWN', message)
}
