import { type Stats, statSync } from 'node:fs'
import { type Crypto, canonicalJson, createFreshnessChecks, type Signer } from '@countersign/core'
import { type Home, isSameFile, readApprovers, systemCode, withHomeLock } from '@countersign/node'
import type { ServerIdentity } from '../identity/server-identity.ts'
import { labelPath, storedLabel } from './label-files.ts'
import {
  MAX_TOOLS,
  type PinFile,
  type PinnedServer,
  type QuarantinedServer,
  type QuarantinedTool,
  readPins,
  readQuarantine,
  writePins,
  writeQuarantine,
} from './pin-files.ts'
import { signFirst, type VerifiedPin, verifyPins } from './signature.ts'
import type { DefinedTool } from './tool-definition.ts'

/** The pins of one server. */
export type PinState =
  /** No server was ever contacted under this label. */
  | { readonly kind: 'unmet' }
  /**
   * Other servers were, but not this one; `shown` describes them. `isFolderNew`: this one was, before folders counted.
   */
  | { readonly kind: 'other'; readonly shown: string; readonly isFolderNew: boolean }
  | { readonly kind: 'met'; readonly tools: ReadonlyMap<string, VerifiedPin> }
  /** L3: unreadable pins accept nothing. */
  | { readonly kind: 'broken'; readonly why: string }

/** The pins of one server under one label, reloaded whenever their file or the approvers change. */
export interface ServerPins {
  /** The current state; with `since`, a state checked after that time may be reused. */
  state(since?: number): PinState
  /** Notes an arrival, for `since`. */
  arrive(): number
  /** Pins the tools listed at first contact, and returns them; pinned tools stay unchanged. */
  meet(tools: readonly DefinedTool[]): readonly DefinedTool[]
  /** Stores quarantined tools, replacing earlier entries; `clear` names tools that are no longer quarantined. */
  wait(tools: readonly QuarantinedTool[], clear: readonly string[]): void
}

export interface ServerPinsOptions {
  readonly home: Home
  readonly label: string
  readonly server: ServerIdentity
  readonly crypto: Pick<Crypto, 'sha256' | 'verify'>
  readonly gate: Signer
  now(): number
}

export function openServerPins(options: ServerPinsOptions): ServerPins {
  const { home, label, crypto, gate } = options
  const server = storedIdentity(options.server)
  /** The path the pins were last read from. */
  let path: string | undefined
  let known:
    | { readonly pins: Stats | undefined; readonly approvers: Stats | undefined; readonly state: PinState }
    | undefined
  /** The signature of the first contact that this process made; no other is extended. */
  let ours: string | undefined

  const looks = createFreshnessChecks(
    () => {
      // Several spellings become one when a person forgets the others.
      if (known === undefined || known.state.kind === 'broken') path = undefined
      path ??= labelPath(home, storedLabel(home, label, crypto), 'pins', crypto)
      const [pins, approvers] = [statOf(path), statOf(home.approvers)]
      if (
        known === undefined ||
        known.state.kind === 'broken' ||
        !isSameFile(known.pins, pins) ||
        !isSameFile(known.approvers, approvers)
      )
        known = { pins, approvers, state: read() }
      return true
    },
    { monotonic: () => performance.now() },
  )

  const read = (): PinState => {
    try {
      const file = readPins(home, label, crypto)
      if (file === undefined || file.servers.length === 0) return { kind: 'unmet' }
      const met = serverOf(file, server)
      if (met === undefined)
        return {
          kind: 'other',
          shown: file.servers.map(({ identity }) => identity.shown).join('; '),
          isFolderNew: file.servers.some(({ identity }) => identity.hash === server.folderless),
        }
      const approvers = readApprovers(home)
      return { kind: 'met', tools: verifyPins(file.label, met, { crypto, approvers, gate: gate.publicKey }) }
    } catch (error) {
      return { kind: 'broken', why: error instanceof Error ? error.message : String(error) }
    }
  }

  return {
    arrive: looks.arrive,
    state(since = Number.POSITIVE_INFINITY) {
      if (known === undefined || !looks.isCheckedSince(since)) looks.isFresh()
      return known === undefined ? read() : known.state
    },
    meet(tools) {
      known = undefined
      return withHomeLock(home, () => {
        const file = readPins(home, label, crypto) ?? { label: storedLabel(home, label, crypto), servers: [] }
        const met = serverOf(file, server)
        // SECURITY: A20 only the first contact is trusted; another process may have been faster.
        if (file.servers.length > 0 && (met?.first == null || met.first.signature !== ours)) return []
        const before = met?.tools ?? []
        const fresh = tools.filter(({ tool }) => before.every(({ name }) => name !== tool.name))
        const all = [
          ...before,
          ...fresh.map(({ tool: { name, definition } }) => ({ name, definition, acceptance: null })),
        ]
        if (fresh.length === 0 || all.length > MAX_TOOLS) return []
        const pairs = [...(met?.first?.tools ?? []), ...fresh.map(({ tool, hash }) => [tool.name, hash] as const)]
        const first = signFirst({ label: file.label, server: server.hash }, pairs, gate, options.now())
        writePins(home, { label: file.label, servers: [{ identity: server, first, tools: all }] }, crypto)
        ours = first.signature
        return fresh
      })
    },
    wait(tools, clear) {
      const waiting = (servers: readonly QuarantinedServer[]) =>
        servers.find(({ identity }) => identity.hash === server.hash)?.tools ?? []
      const text = (one: QuarantinedTool): string => canonicalJson([one.name, one.definition, one.why])
      const before = new Map(waiting(readQuarantine(home, label, crypto)).map((one) => [one.name, text(one)]))
      if (tools.every((one) => before.get(one.name) === text(one)) && !clear.some((name) => before.has(name))) return
      withHomeLock(home, () => {
        const servers = readQuarantine(home, label, crypto)
        const gone = new Set([...clear, ...tools.map(({ name }) => name)])
        const all = [...waiting(servers).filter(({ name }) => !gone.has(name)), ...tools].slice(-MAX_TOOLS)
        const others = servers.filter(({ identity }) => identity.hash !== server.hash)
        writeQuarantine(home, label, [...others, { identity: server, tools: all }], crypto)
      })
    },
  }
}

/** The identity as stored: with the hash without the folder, by which configurations know the server. */
function storedIdentity({ hash, shown, folderless }: ServerIdentity): ServerIdentity {
  return { hash, shown, ...(typeof folderless === 'string' ? { folderless } : {}) }
}

/** The pins of one server among those of its label. */
export function serverOf(file: PinFile, server: { readonly hash: string }): PinnedServer | undefined {
  return file.servers.find(({ identity }) => identity.hash === server.hash)
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (systemCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}
