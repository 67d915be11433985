import { basename, join } from 'node:path'
import { type Crypto, compareDefinitions, type Json } from '@countersign/core'
import { type Home, openGateKey, readApprovers } from '@countersign/node'
import type { ServerIdentity } from '../identity/server-identity.ts'
import { filesOf, foldLabel, labelIn, mcpFolder } from './label-files.ts'
import { hashOf, type QuarantinedTool, readPins, readQuarantine } from './pin-files.ts'
import { type PinOrigin, type VerifiedPin, verifyPins } from './signature.ts'
import { findOddText, type OddText } from './suspicious-text.ts'

/** One tool for display: its accepted definition, and the one in quarantine. */
export interface ToolView {
  readonly name: string
  readonly accepted: { readonly definition: Json; readonly hash: string; readonly origin: PinOrigin } | null
  readonly waiting: {
    readonly definition: Json
    readonly hash: string
    readonly why: string
    readonly at: number
  } | null
  /** In the quarantined definition, or else in the accepted one. */
  readonly odd: readonly OddText[]
}

/** One server of a label. */
export interface ServerView {
  readonly identity: ServerIdentity
  /** When it was first contacted; null for one that is quarantined or was accepted besides another. */
  readonly firstAt: number | null
  readonly tools: readonly ToolView[]
}

/** Everything known about one label. */
export interface LabelView {
  readonly label: string
  /** Why the pins cannot be read; then every tool is quarantined. */
  readonly broken: string | null
  readonly servers: readonly ServerView[]
}

/**
 * All labels with pins or quarantined tools, sorted. A label that only differs in spelling from a pinned one is left
 * out.
 */
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

/** The pin and quarantine files of all labels. */
export function labelFiles(home: Home): readonly string[] {
  const folder = mcpFolder(home)
  return filesOf(folder)
    .filter((file) => /\.(?:pins|waiting)\.json$/.test(file))
    .map((file) => join(folder, file))
}

/** Reads everything known about a label. */
export function viewLabel(home: Home, label: string, crypto: Pick<Crypto, 'sha256' | 'verify'>): LabelView {
  const waiting = new Map(readQuarantine(home, label, crypto).map((one) => [one.identity.hash, one]))
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
  waiting: readonly QuarantinedTool[],
  crypto: Pick<Crypto, 'sha256'>,
): readonly ToolView[] {
  const quarantined = new Map(waiting.map((one) => [one.name, one]))
  const names = [...new Set([...pins.keys(), ...quarantined.keys()])].sort()
  return names.map((name) => {
    const pin = pins.get(name)
    const waitingTool = quarantined.get(name)
    const definition = waitingTool?.definition ?? pin?.pinned.definition ?? null
    return {
      name,
      accepted: pin === undefined ? null : { definition: pin.pinned.definition, hash: pin.hash, origin: pin.origin },
      waiting:
        waitingTool === undefined
          ? null
          : {
              definition: waitingTool.definition,
              hash: hashOf(waitingTool.definition, crypto),
              why: waitingTool.why,
              at: waitingTool.at,
            },
      odd: findOddText(definition),
    }
  })
}

/** One line of a definition or of a diff. Untrusted text. */
export interface DefinitionLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** The diff of two definitions, line by line. */
export function diffDefinitions(before: Json | null, after: Json): readonly DefinitionLine[] {
  const change = compareDefinitions(before, after)
  if (change.kind === 'lines') return change.hunks.flatMap(({ lines }) => lines)
  return change.text
    .slice(0, -1)
    .split('\n')
    .map((text): DefinitionLine => ({ kind: 'added', text }))
}
