import { lstatSync } from 'node:fs'
import { CountersignError, type Crypto, type Signer } from '@countersign/core'
import { type Home, withHomeLock } from '@countersign/node'
import { type Acceptance, hashOf, MAX_TOOLS, type PinnedTool, readPins, writePins } from './file.ts'
import { keptLabel, labelPath } from './label-files.ts'
import { readWaiting, removeFile, type WaitingServer, writeWaiting } from './quarantine-file.ts'
import { type SignedAcceptance, signAcceptance } from './signature.ts'

/** One tool that a person looked at, by what was shown: the server, the name and the hash of the definition. */
export interface ShownTool {
  readonly server: string
  readonly name: string
  readonly hash: string
}

/**
 * Accepts exactly what was shown, signed by the approver. CS_STALE when a definition is no longer the one that was shown.
 * SECURITY: A20, L8 the key is a person's; the proxy that asks has none.
 */
export function acceptTools(
  home: Home,
  label: string,
  shown: readonly ShownTool[],
  by: { readonly signer: Signer; readonly at: number; readonly crypto: Pick<Crypto, 'sha256'> },
): void {
  const kept = keptLabel(home, label, by.crypto)
  const accepted = shown.map(({ server, name, hash }) => ({
    ...{ server, name, hash },
    acceptance: signAcceptance({ label: kept, server }, { name, hash }, by.signer, by.at),
  }))
  writeAcceptances(home, kept, accepted, 'known', by.crypto)
}

/**
 * Writes an acceptance that was signed elsewhere, of a tool that waits with exactly this definition. CS_STALE otherwise.
 * INVARIANT: whose signature it is was found out before.
 */
export function writeSigned(home: Home, signed: SignedAcceptance, crypto: Pick<Crypto, 'sha256'>): void {
  const { label, server, name, hash, approver, at, signature } = signed
  const accepted = { server, name, hash, acceptance: { approver, at, signature } }
  writeAcceptances(home, label, [accepted], 'waiting', crypto)
}

/** CS_STALE when a tool does not wait with the definition that was shown; CS_PINS when nothing could be written beside it. */
export function checkWaits(home: Home, label: string, shown: ShownTool, crypto: Pick<Crypto, 'sha256'>): void {
  readPins(home, label, crypto)
  find(shown, readWaiting(home, label, crypto), crypto)
}

function writeAcceptances(
  home: Home,
  label: string,
  accepted: readonly (ShownTool & { readonly acceptance: Acceptance })[],
  among: 'waiting' | 'known',
  crypto: Pick<Crypto, 'sha256'>,
): void {
  withHomeLock(home, () => {
    const file = readPins(home, label, crypto) ?? { label: keptLabel(home, label, crypto), servers: [] }
    // What is signed is a spelling, and one label is kept under one.
    if (file.label !== label)
      throw new CountersignError('CS_STALE', `\`${label}\` is kept as \`${file.label}\`; look again`)
    const waiting = readWaiting(home, label, crypto)
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
    writeWaiting(home, label, without(waiting, accepted), crypto)
  })
}

/** The definition that was shown, where it waits or is already pinned. */
function find(
  one: ShownTool,
  servers: readonly (WaitingServer | { identity: WaitingServer['identity']; tools: readonly PinnedTool[] })[],
  crypto: Pick<Crypto, 'sha256'>,
) {
  for (const { identity, tools } of servers) {
    if (identity.hash !== one.server) continue
    const tool = tools.find(({ name, definition }) => name === one.name && hashOf(definition, crypto) === one.hash)
    if (tool !== undefined) return { identity, definition: tool.definition }
  }
  throw new CountersignError('CS_STALE', `\`${one.name}\` changed while it was shown; look again`)
}

function without(waiting: readonly WaitingServer[], shown: readonly ShownTool[]): readonly WaitingServer[] {
  return waiting.map(({ identity, tools }) => ({
    identity,
    tools: tools.filter(({ name }) => !shown.some((one) => one.server === identity.hash && one.name === name)),
  }))
}

/**
 * Forgets tools of a label, so that they are new when they are listed next; without names the whole label, so that the
 * next contact is the first. False when there was nothing.
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

/** Also of a file that cannot be read: that is how a person mends it. Of two spellings, the one that is named. */
function forgetLabel(home: Home, label: string, crypto: Pick<Crypto, 'sha256'>): boolean {
  const filesOf = (spelled: string) =>
    (['pins', 'waiting'] as const).map((kind) => labelPath(home, spelled, kind, crypto)).filter(isThere)
  const exact = filesOf(label)
  const files = exact.length > 0 ? exact : filesOf(keptLabel(home, label, crypto))
  for (const path of files) removeFile(path)
  return files.length > 0
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
