import { statSync } from 'node:fs'
import {
  CountersignError,
  type Crypto,
  canonicalJson,
  type Quarantine,
  type QuarantineView,
  type WaitingDefinition,
} from '@countersign/core'
import { type Home, openGateKey, readApprovers } from '@countersign/node'
import type { ServerIdentity } from '../identity/server-identity.ts'
import { checkQuarantined, writeSigned } from './accept.ts'
import { type QuarantinedTool, readPins, readQuarantine } from './pin-files.ts'
import { findSigner, type VerifiedPin, verifyPins } from './signature.ts'
import { findOddText } from './suspicious-text.ts'
import { knownLabels, labelFiles } from './view.ts'

/** Opens the quarantine of a home. The list is cached until a file changes. */
export function openQuarantine(home: Home, crypto: Pick<Crypto, 'sha256' | 'verify'>): Quarantine {
  let known: { readonly fingerprint: string; readonly view: QuarantineView } | undefined
  return {
    list() {
      const fingerprint = [home.approvers, ...labelFiles(home)].map(fingerprintOf).join('\n')
      if (known?.fingerprint !== fingerprint) known = { fingerprint, view: viewQuarantine(home, crypto) }
      return known.view
    },
    async accept(signed, record) {
      const signer = findSigner(signed, { crypto, approvers: readApprovers(home) })
      // SECURITY: L8, A2 without the signature of an enrolled approver nothing happens.
      if (typeof signer === 'string') throw new CountersignError('CS_DECISION_FORGED', signer)
      checkQuarantined(home, signed.label, signed, crypto)
      await record(signer)
      writeSigned(home, signed, crypto)
    },
  }
}

/** A fingerprint that changes with the file. */
function fingerprintOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return `${path} ${found?.ino} ${found?.size} ${found?.mtimeNs} ${found?.ctimeNs}`
}

/** INVARIANT: L10, further tools are counted per label. */
const MAX_SHOWN = 100
const MAX_CHARACTERS = 4_194_304
const MAX_WHERE = 200

interface Candidate {
  readonly label: string
  readonly server: ServerIdentity
  readonly tool: QuarantinedTool
  readonly pin: VerifiedPin | undefined
}

/** Collects all quarantined tools. SECURITY: A20 labels take turns, so that no server crowds out another. */
function viewQuarantine(home: Home, crypto: Pick<Crypto, 'sha256' | 'verify'>): QuarantineView {
  const queues: { readonly label: string; readonly rest: Candidate[]; count: number }[] = []
  const broken: { label: string; why: string }[] = []
  for (const label of knownLabels(home))
    try {
      queues.push({ label, rest: [...quarantinedUnder(home, label, crypto)], count: 0 })
    } catch (error) {
      broken.push({ label, why: error instanceof Error ? error.message : String(error) })
    }
  const waiting: WaitingDefinition[] = []
  let left = MAX_CHARACTERS
  while (queues.some(({ rest }) => rest.length > 0))
    for (const queue of queues) {
      const candidate = queue.rest.shift()
      if (candidate === undefined) continue
      const shown = waiting.length < MAX_SHOWN ? show(candidate, left, crypto) : 'left out'
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
    left: out.slice(0, MAX_SHOWN),
    broken,
  }
}

function show({ label, server, tool, pin }: Candidate, left: number, crypto: Pick<Crypto, 'sha256'>) {
  const { name, why, at: since, definition } = tool
  try {
    const text = canonicalJson(definition)
    const hash = crypto.sha256(text)
    if (pin !== undefined && pin.origin.kind !== 'none' && pin.hash === hash) return 'accepted' // accepted, and not listed since
    // SECURITY: A20 a diff against a definition that no person accepted would hide what nobody has seen.
    const accepted = pin?.origin.kind === 'person' ? pin.pinned.definition : null
    const known = accepted === null ? '' : canonicalJson(accepted)
    const size = [label, server.shown, name, why, text, known].reduce((sum, one) => sum + one.length, 0)
    if (size > left) return 'left out'
    const odd = findOddText(definition).map((one) => ({ ...one, where: cut(one.where) }))
    return { size, waiting: { label, server, name, hash, why, since, accepted, definition, odd } }
  } catch {
    return 'left out' // the file may hold a definition deeper than any server could list
  }
}

/** The location is a path of keys, which a server can make arbitrarily long. */
function cut(where: string): string {
  return where.length <= MAX_WHERE ? where : `${where.slice(0, MAX_WHERE).toWellFormed()}…`
}

function quarantinedUnder(home: Home, label: string, crypto: Pick<Crypto, 'sha256' | 'verify'>): readonly Candidate[] {
  const file = readPins(home, label, crypto)
  const pinned = file?.servers ?? []
  const waiting = readQuarantine(home, label, crypto)
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
