import { type Crypto, canonicalJson, type QuarantineView, type WaitingDefinition } from '@countersign/core'
import { type Home, openGateKey, readApprovers } from '@countersign/node'
import type { ServerIdentity } from '../identity/server-identity.ts'
import { readPins } from './file.ts'
import { readWaiting, type WaitingTool } from './quarantine-file.ts'
import { type VerifiedPin, verifyPins } from './signature.ts'
import { findOddText } from './suspicious-text.ts'
import { knownLabels } from './view.ts'

/** INVARIANT: L10, what is more is counted, with whose it is. */
const MOST_SHOWN = 100
const MOST_CHARACTERS = 4_194_304
const MOST_WHERE = 200

interface Candidate {
  readonly label: string
  readonly server: ServerIdentity
  readonly tool: WaitingTool
  readonly pin: VerifiedPin | undefined
}

/** Reads everything that waits for a person. SECURITY: A20 labels take turns, so that no server crowds out another's tools. */
export function viewQuarantine(home: Home, crypto: Pick<Crypto, 'sha256' | 'verify'>): QuarantineView {
  const queues: { readonly label: string; readonly rest: Candidate[]; count: number }[] = []
  const broken: { label: string; why: string }[] = []
  for (const label of knownLabels(home))
    try {
      queues.push({ label, rest: [...waitingUnder(home, label, crypto)], count: 0 })
    } catch (error) {
      broken.push({ label, why: error instanceof Error ? error.message : String(error) })
    }
  const waiting: WaitingDefinition[] = []
  let left = MOST_CHARACTERS
  while (queues.some(({ rest }) => rest.length > 0))
    for (const queue of queues) {
      const candidate = queue.rest.shift()
      if (candidate === undefined) continue
      const shown = waiting.length < MOST_SHOWN ? show(candidate, left, crypto) : 'left out'
      if (shown === 'accepted') continue
      if (shown === 'left out') queue.count += 1
      else {
        left -= shown.size
        waiting.push(shown.waiting)
      }
    }
  const out = queues.filter(({ count }) => count > 0).map(({ label, count }) => ({ label, count }))
  const order = new Map(queues.map(({ label }, at) => [label, at]))
  return {
    waiting: waiting.sort((a, b) => (order.get(a.label) ?? 0) - (order.get(b.label) ?? 0)),
    more: out.reduce((sum, { count }) => sum + count, 0),
    left: out.slice(0, MOST_SHOWN),
    broken,
  }
}

function show({ label, server, tool, pin }: Candidate, left: number, crypto: Pick<Crypto, 'sha256'>) {
  const { name, why, at: since, definition } = tool
  try {
    const text = canonicalJson(definition)
    const hash = crypto.sha256(text)
    if (pin !== undefined && pin.word.kind !== 'none' && pin.hash === hash) return 'accepted' // and not listed since
    // SECURITY: A20 a difference to what no person has accepted would show as known what nobody has seen.
    const accepted = pin?.word.kind === 'person' ? pin.pinned.definition : null
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
