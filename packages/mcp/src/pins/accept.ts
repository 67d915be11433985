import { lstatSync } from 'node:fs'
import { CountersignError, type Crypto, type Signer } from '@countersign/core'
import { type Home, withHomeLock } from '@countersign/node'
import { labelPath, storedLabel } from './label-files.ts'
import {
  type Acceptance,
  hashOf,
  MAX_TOOLS,
  type PinnedTool,
  type QuarantinedServer,
  readPins,
  readQuarantine,
  removeFile,
  writePins,
  writeQuarantine,
} from './pin-files.ts'
import { type SignedAcceptance, signAcceptance } from './signature.ts'

/** One tool that a person reviewed: its server, name and definition hash. */
export interface ShownTool {
  readonly server: string
  readonly name: string
  readonly hash: string
}

/**
 * Accepts exactly what was shown, signed by the approver. CS_STALE when a definition has changed since. SECURITY: A20,
 * L8 the key belongs to a person; the proxy has none.
 */
export function acceptTools(
  home: Home,
  label: string,
  shown: readonly ShownTool[],
  by: { readonly signer: Signer; readonly at: number; readonly crypto: Pick<Crypto, 'sha256'> },
): void {
  const kept = storedLabel(home, label, by.crypto)
  const accepted = shown.map(({ server, name, hash }) => ({
    ...{ server, name, hash },
    acceptance: signAcceptance({ label: kept, server }, { name, hash }, by.signer, by.at),
  }))
  writeAcceptances(home, kept, accepted, 'known', by.crypto)
}

/**
 * Writes an acceptance that was signed elsewhere, for a quarantined tool with exactly this definition; CS_STALE
 * otherwise. INVARIANT: the caller has verified the signature.
 */
export function writeSigned(home: Home, signed: SignedAcceptance, crypto: Pick<Crypto, 'sha256'>): void {
  const { label, server, name, hash, approver, at, signature } = signed
  const accepted = { server, name, hash, acceptance: { approver, at, signature } }
  writeAcceptances(home, label, [accepted], 'waiting', crypto)
}

/**
 * Throws CS_STALE when the tool is not quarantined with the definition that was shown, CS_PINS when the pins cannot be
 * read.
 */
export function checkQuarantined(home: Home, label: string, shown: ShownTool, crypto: Pick<Crypto, 'sha256'>): void {
  readPins(home, label, crypto)
  find(shown, readQuarantine(home, label, crypto), crypto)
}

function writeAcceptances(
  home: Home,
  label: string,
  accepted: readonly (ShownTool & { readonly acceptance: Acceptance })[],
  among: 'waiting' | 'known',
  crypto: Pick<Crypto, 'sha256'>,
): void {
  withHomeLock(home, () => {
    const file = readPins(home, label, crypto) ?? { label: storedLabel(home, label, crypto), servers: [] }
    // The signature covers the spelling, and a label is stored under one spelling.
    if (file.label !== label)
      throw new CountersignError('CS_STALE', `\`${label}\` is stored as \`${file.label}\`; review it again`)
    const waiting = readQuarantine(home, label, crypto)
    let servers = file.servers
    for (const one of accepted) {
      const { identity, definition } = find(one, among === 'waiting' ? waiting : [...waiting, ...servers], crypto)
      const tool: PinnedTool = { name: one.name, definition, acceptance: one.acceptance }
      const server = servers.find((known) => known.identity.hash === one.server) ?? { identity, first: null, tools: [] }
      const tools = [...server.tools.filter(({ name }) => name !== one.name), tool]
      if (tools.length > MAX_TOOLS)
        throw new CountersignError('CS_PINS', `a server may have at most ${MAX_TOOLS} tools; forget some first`)
      servers = [...servers.filter((known) => known.identity.hash !== one.server), { ...server, tools }]
    }
    writePins(home, { label, servers }, crypto)
    writeQuarantine(home, label, without(waiting, accepted), crypto)
  })
}

/** The shown definition, from quarantine or from the pins. */
function find(
  one: ShownTool,
  servers: readonly (QuarantinedServer | { identity: QuarantinedServer['identity']; tools: readonly PinnedTool[] })[],
  crypto: Pick<Crypto, 'sha256'>,
) {
  for (const { identity, tools } of servers) {
    if (identity.hash !== one.server) continue
    const tool = tools.find(({ name, definition }) => name === one.name && hashOf(definition, crypto) === one.hash)
    if (tool !== undefined) return { identity, definition: tool.definition }
  }
  throw new CountersignError('CS_STALE', `\`${one.name}\` changed while it was shown; review it again`)
}

function without(waiting: readonly QuarantinedServer[], shown: readonly ShownTool[]): readonly QuarantinedServer[] {
  return waiting.map(({ identity, tools }) => ({
    identity,
    tools: tools.filter(({ name }) => !shown.some((one) => one.server === identity.hash && one.name === name)),
  }))
}

/**
 * Forgets tools of a label, so that they are new when listed next; without names the whole label, so that the next
 * contact is the first. False when there was nothing to forget.
 */
export function forgetTools(
  home: Home,
  label: string,
  names: readonly string[] | null,
  crypto: Pick<Crypto, 'sha256'>,
): boolean {
  return withHomeLock(home, () => {
    if (names === null) return forgetLabel(home, label, crypto)
    const file = readPins(home, label, crypto)
    if (file === undefined) return false
    const gone = new Set(names)
    const had = file.servers.some(({ tools }) => tools.some(({ name }) => gone.has(name)))
    const servers = file.servers.map((one) => ({ ...one, tools: one.tools.filter(({ name }) => !gone.has(name)) }))
    if (had) writePins(home, { label: file.label, servers }, crypto)
    return had
  })
}

/** Also deletes unreadable files: this is how a person repairs them. Of two spellings, deletes the named one. */
function forgetLabel(home: Home, label: string, crypto: Pick<Crypto, 'sha256'>): boolean {
  const filesOf = (spelled: string) =>
    (['pins', 'waiting'] as const).map((kind) => labelPath(home, spelled, kind, crypto)).filter(exists)
  const exact = filesOf(label)
  const files = exact.length > 0 ? exact : filesOf(storedLabel(home, label, crypto))
  for (const path of files) removeFile(path)
  return files.length > 0
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
