import { isThisMachine } from '../../call/address/classify.ts'
import { hostText } from '../../call/address/host-pattern.ts'
import type { HostUse } from '../../risk/report/report.ts'
import type { Policy } from '../compile/compiled-policy.ts'
import type { CompiledRule } from '../compile/compiled-rule.ts'
import { type Contribution, contactContribution } from '../compile/verdict-contribution.ts'
import type { Unit } from '../match/call-unit.ts'
import { supervisionRank } from '../model/supervision.ts'

const AUTOMATIC = supervisionRank('automatic')
const CONFIRM = supervisionRank('confirm')

/** What the hosts of a unit require. */
export type Contact =
  /** Nothing, perhaps because a grant names a host. */
  | { readonly kind: 'named'; readonly grant: string | null }
  | { readonly kind: 'unnamed'; readonly rank: number; readonly contribution: Contribution }

const NAMED: Contact = { kind: 'named', grant: null }

/**
 * First contact: a host that nobody named needs a person. The policy's `network:`, a rule that applies, or a grant can
 * name it. This machine needs no name inside the sandbox. INVARIANT: L11, there it is the sandbox itself; outside, its
 * servers do more than show pages.
 */
export function judgeContact(
  { hosts, contained }: Pick<Unit, 'hosts' | 'contained'>,
  policy: Policy,
  naming: readonly CompiledRule[],
  grantFor: (use: HostUse) => string | null,
): Contact {
  if (hosts.length === 0 || policy.contact === AUTOMATIC) return NAMED
  const isInside = ({ host }: HostUse): boolean => contained && host !== null && isThisMachine(host)
  const unnamed = hosts.filter((use) => !isInside(use) && !isNamed(use, policy, naming))
  if (unnamed.length === 0) return NAMED
  // INVARIANT: L2, a grant replaces a confirmation and nothing stricter.
  const grants = unnamed.map(policy.contact === CONFIRM ? grantFor : () => null)
  const left = unnamed.filter((_, at) => grants[at] === null)
  if (left.length === 0) return { kind: 'named', grant: grants[0] ?? null }
  const contribution = contactContribution(
    policy.set.row,
    left,
    left.every((use) => isReadable(use, policy)),
  )
  return { kind: 'unnamed', rank: policy.contact, contribution }
}

/** The hosts that a command contacts, as bounds of its sandbox: each is named, or a person approves the call. */
export function contactedHosts(hosts: readonly HostUse[]): readonly string[] {
  return hosts.flatMap(({ host, port }) => (host === null || isThisMachine(host) ? [] : [hostText(host, port)]))
}

function isNamed(use: HostUse, policy: Policy, naming: readonly CompiledRule[]): boolean {
  return use.host !== null && (policy.namesHost(use) || naming.some((rule) => rule.names(use)))
}

/** Whether the policy names the host, but only for reading. */
function isReadable(use: HostUse, policy: Policy): boolean {
  return use.use !== 'read' && policy.namesHost({ ...use, use: 'read' })
}
