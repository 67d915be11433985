/** Messages for the person: held calls, tools in quarantine, problems of the policy. */
import { formatProblem, markOf, safeText } from '@countersign/core'
import type { CatalogueNote, HeldCallLink } from '@countersign/mcp'
import { controlService, type Home, type OpenedGate } from '@countersign/node'
import { homeFlag } from '../../home/inbox-address.ts'
import { type Io, say } from '../../terminal/io.ts'

/** L10: further tools are summed up in one line. */
const MAX_LINES = 10

/** Reports on stderr which tools are in quarantine, and the command to review them. */
export function tellQuarantined(label: string, home: Home, io: Io): (note: CatalogueNote) => void {
  const where = `${label}${homeFlag(home)}`
  const see = `see \`countersign mcp tools ${where}\``
  let told = 0
  return (note) => {
    if (note.kind === 'unwritten')
      return say(io, `countersign: tools of ${label} stay in quarantine: ${safeText(note.why)} [CS_PINS]`)
    if ((note.kind !== 'quarantined' && note.kind !== 'odd-text') || told > MAX_LINES) return
    told += 1
    if (told > MAX_LINES) return say(io, `countersign: more tools of ${label} need attention: ${see}`)
    const tool = safeText(`${label}/${note.tool}`)
    if (note.kind === 'odd-text')
      return say(io, `countersign: the definition of ${tool} contains hidden or look-alike characters: ${see}`)
    const isShown = note.reason === 'broken' || note.reason === 'twice'
    const next = isShown ? see : `review it with \`countersign mcp accept ${where}\``
    // The command lines of other servers belong in the journal only.
    const why = note.reason === 'server' ? note.why.replace(/: .*$/s, '') : note.why
    say(io, `countersign: ${tool} is in quarantine: ${safeText(why)}; ${next}`)
  }
}

/** Reports a policy that cannot be used, and the preset that holds nothing. */
export async function tellPolicyProblems({ gate }: OpenedGate, io: Io): Promise<void> {
  for (const problem of (await gate.policyProblems()).slice(0, 3))
    say(
      io,
      `countersign: ${safeText(formatProblem(problem))}; every call is held until this is fixed [CS_POLICY_INVALID]`,
    )
  if (gate.preset() === 'classic')
    say(io, 'countersign: preset classic: nothing is held, everything is recorded; set another preset to be asked')
}

/** Reports a held call on stderr, which ends up in the client's log. */
export async function tellHeld(callId: string, opened: OpenedGate, io: Io): Promise<void> {
  const row = await opened.ports.store.call(callId).catch(() => undefined)
  if (row?.state !== 'held' || row.requestDigest === null) return
  await tellPolicyProblems(opened, io)
  const mark = safeText(markOf({ requestDigest: row.requestDigest }))
  const how = `\`countersign approve ${mark}${homeFlag(opened.home)}\` or \`reject\``
  say(io, `countersign: ${safeText(row.tool)} is held as ${mark}: decide with ${how}`)
}

/** Where a person decides on a held call; null when it is not held. */
export async function heldCallLink(callId: string, { home, ports }: OpenedGate): Promise<HeldCallLink | null> {
  const row = await ports.store.call(callId)
  if (row?.state !== 'held' || row.requestDigest === null) return null
  const answer = await controlService(home, { do: 'status' }).catch(() => undefined)
  const status = answer !== undefined && 'status' in answer ? answer.status : null
  const mark = safeText(markOf({ requestDigest: row.requestDigest }))
  const base = status === null ? null : (status.publicUrl ?? status.url)
  return {
    message: `${safeText(row.tool)} waits for approval, held as ${mark}. Decide in the inbox or with \`countersign approve ${mark}${homeFlag(home)}\`; answering here decides nothing.`,
    url: base === null ? null : new URL(`/held/${encodeURIComponent(callId)}`, base).href,
  }
}
