import { basename, join } from 'node:path'
import type { Crypto, Json } from '@countersign/core'
import { type Home, openGateKey, readApprovers } from '@countersign/node'
import type { ServerIdentity } from '../identity/server-identity.ts'
import { mcpFolder } from '../identity/state-folder.ts'
import { hashOf, readPins } from './file.ts'
import { filesOf, foldLabel, labelIn } from './label-files.ts'
import { readWaiting, type WaitingTool } from './quarantine-file.ts'
import { type PinWord, type VerifiedPin, verifyPins } from './signature.ts'
import { findOddText, type OddText } from './suspicious-text.ts'

/** One tool for reading: what is accepted of it, and what waits. */
export interface ToolView {
  readonly name: string
  readonly accepted: { readonly definition: Json; readonly hash: string; readonly word: PinWord } | null
  readonly waiting: {
    readonly definition: Json
    readonly hash: string
    readonly why: string
    readonly at: number
  } | null
  /** In what waits, or else in what is accepted. */
  readonly odd: readonly OddText[]
}

/** One server that stands, or wants to stand, behind a label. */
export interface ServerView {
  readonly identity: ServerIdentity
  /** When it was first met; null for one that waits, or was accepted beside another. */
  readonly firstAt: number | null
  readonly tools: readonly ToolView[]
}

/** Everything known under one label. */
export interface LabelView {
  readonly label: string
  /** Why the pins cannot be read; then every tool is in quarantine. */
  readonly broken: string | null
  readonly servers: readonly ServerView[]
}

/** The labels that have pins or something waiting, in order; of one that only waits under another spelling, that of its pins. */
export function knownLabels(home: Home): readonly string[] {
  const [pinned, waiting] = [new Set<string>(), new Set<string>()]
  for (const path of labelFiles(home)) {
    const label = labelIn(path)
    const spelled = label ?? basename(path).replace(/-[0-9a-f]{12}\.(?:pins|waiting)\.json$/, '')
    if (path.endsWith('.pins.json')) pinned.add(spelled)
    else waiting.add(spelled)
  }
  const folded = new Set([...pinned].map(foldLabel))
  return [...pinned, ...[...waiting].filter((label) => !folded.has(foldLabel(label)))].sort()
}

/** The files of all labels: what is accepted, and what waits. */
export function labelFiles(home: Home): readonly string[] {
  const folder = mcpFolder(home)
  return filesOf(folder)
    .filter((file) => /\.(?:pins|waiting)\.json$/.test(file))
    .map((file) => join(folder, file))
}

/** Reads everything known under a label. */
export function viewLabel(home: Home, label: string, crypto: Pick<Crypto, 'sha256' | 'verify'>): LabelView {
  const waiting = new Map(readWaiting(home, label, crypto).map((one) => [one.identity.hash, one]))
  try {
    const file = readPins(home, label, crypto)
    const pinned = file?.servers ?? []
    const by = { crypto, approvers: readApprovers(home), gate: openGateKey(home).publicKey }
    const met = pinned.map(
      (one): ServerView => ({
        identity: one.identity,
        firstAt: one.first?.at ?? null,
        tools: toolsOf(verifyPins(file?.label ?? label, one, by), waiting.get(one.identity.hash)?.tools ?? [], crypto),
      }),
    )
    const strangers = [...waiting.values()].filter(({ identity }) =>
      pinned.every((one) => one.identity.hash !== identity.hash),
    )
    const others = strangers.map(
      ({ identity, tools }): ServerView => ({ identity, firstAt: null, tools: toolsOf(new Map(), tools, crypto) }),
    )
    return { label, broken: null, servers: [...met, ...others] }
  } catch (error) {
    return { label, broken: error instanceof Error ? error.message : String(error), servers: [] }
  }
}

function toolsOf(
  pins: ReadonlyMap<string, VerifiedPin>,
  waiting: readonly WaitingTool[],
  crypto: Pick<Crypto, 'sha256'>,
): readonly ToolView[] {
  const held = new Map(waiting.map((one) => [one.name, one]))
  const names = [...new Set([...pins.keys(), ...held.keys()])].sort()
  return names.map((name) => {
    const pin = pins.get(name)
    const wants = held.get(name)
    const definition = wants?.definition ?? pin?.pinned.definition ?? null
    return {
      name,
      accepted: pin === undefined ? null : { definition: pin.pinned.definition, hash: pin.hash, word: pin.word },
      waiting:
        wants === undefined
          ? null
          : { definition: wants.definition, hash: hashOf(wants.definition, crypto), why: wants.why, at: wants.at },
      odd: findOddText(definition),
    }
  })
}
