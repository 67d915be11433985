import { type Crypto, canonicalJson, type Json } from '@countersign/core'
import { type Home, openGateKey, readApprovers } from '@countersign/node'
import { findOddText, type OddText } from './odd-text.ts'
import { readPins } from './pin-file.ts'
import { type VerifiedPin, verifyPins } from './pin-signature.ts'
import { knownLabels } from './pin-view.ts'
import type { ServerIdentity } from './server-identity.ts'
import { readWaiting, type WaitingTool } from './waiting-file.ts'

/** A tool that waits for a person, with everything to judge it by. All texts are a server's. */
interface WaitingDefinition {
  readonly label: string
  readonly server: ServerIdentity
  readonly name: string
  readonly hash: string
  readonly why: string
  readonly since: number
  /** What was accepted under this name, where that is signed; null when all of it is new. */
  readonly accepted: Json | null
  readonly definition: Json
  readonly odd: readonly OddText[]
}

/** What waits under all labels, as much as is shown at once. */
export interface QuarantineView {
  readonly waiting: readonly WaitingDefinition[]
  /** How many more wait than are shown. */
  readonly more: number
  /** Labels whose pins cannot be read: every tool of them is in quarantine. */
  readonly broken: readonly { readonly label: string; readonly why: string }[]
}

/** INVARIANT: L10, what is more is counted, and shown once these are accepted. */
const MOST_SHOWN = 100
const MOST_CHARACTERS = 4_194_304
const MOST_WHERE = 200

interface Candidate {
  readonly label: string
  readonly server: ServerIdentity
  readonly tool: WaitingTool
  readonly pin: VerifiedPin | undefined
}

/** Reads everything that waits for a person. */
export function viewQuarantine(home: Home, crypto: Pick<Crypto, 'sha256' | 'verify'>): QuarantineView {
  const candidates: Candidate[] = []
  const broken: { label: string; why: string }[] = []
  for (const label of knownLabels(home))
    try {
      candidates.push(...waitingUnder(home, label, crypto))
    } catch (error) {
      broken.push({ label, why: error instanceof Error ? error.message : String(error) })
    }
  const waiting: WaitingDefinition[] = []
  let more = 0
  let left = MOST_CHARACTERS
  for (const candidate of candidates) {
    const shown = waiting.length < MOST_SHOWN ? show(candidate, left, crypto) : 'left out'
    if (shown === 'accepted') continue
    if (shown === 'left out') {
      more += 1
      continue
    }
    left -= shown.size
    waiting.push(shown.waiting)
  }
  return { waiting, more, broken }
}

function show({ label, server, tool, pin }: Candidate, left: number, crypto: Pick<Crypto, 'sha256'>) {
  const { name, why, at: since, definition } = tool
  try {
    const text = canonicalJson(definition)
    const hash = crypto.sha256(text)
    // SECURITY: A20 a difference to what nobody signed would show as known what nobody has seen.
    const before = pin === undefined || pin.word.kind === 'none' ? null : pin
    if (before?.hash === hash) return 'accepted' // and not listed since
    const accepted = before?.pinned.definition ?? null
    const known = accepted === null ? '' : canonicalJson(accepted)
    const size = [label, server.shown, name, why, text, known].reduce((sum, one) => sum + one.length, 0)
    if (size > left) return 'left out'
    const odd = findOddText(definition).map((one) => ({ ...one, where: cut(one.where) }))
    return { size, waiting: { label, server, name, hash, why, since, accepted, definition, odd } }
  } catch {
    return 'left out' // a file that only proposes may hold what no server could list: deeper than anybody reads
  }
}

/** Where something odd stands is a path of keys, which are a server's and as long as it likes. */
function cut(where: string): string {
  return where.length <= MOST_WHERE ? where : `${where.slice(0, MOST_WHERE).toWellFormed()}…`
}

function waitingUnder(home: Home, label: string, crypto: Pick<Crypto, 'sha256' | 'verify'>): readonly Candidate[] {
  const file = readPins(home, label, crypto)
  const pinned = file?.servers ?? []
  const waiting = readWaiting(home, label, crypto)
  if (waiting.length === 0) return []
  const by = { crypto, approvers: readApprovers(home), gate: openGateKey(home).publicKey }
  return waiting.flatMap(({ identity, tools }) => {
    const names = new Set(tools.map(({ name }) => name))
    const known = pinned.find((one) => one.identity.hash === identity.hash)
    const pins =
      known === undefined
        ? undefined
        : verifyPins(file?.label ?? label, { ...known, tools: known.tools.filter(({ name }) => names.has(name)) }, by)
    return [...tools]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((tool) => ({ label, server: identity, tool, pin: pins?.get(tool.name) }))
  })
}
