import { type Stats, statSync } from 'node:fs'
import { type Crypto, canonicalJson, createFreshnessChecks, type Signer } from '@countersign/core'
import { type Home, isSameFile, readApprovers, systemCode, withHomeLock } from '@countersign/node'
import type { ServerIdentity } from '../identity/server-identity.ts'
import { MAX_TOOLS, type PinFile, type PinnedServer, readPins, writePins } from './file.ts'
import { keptLabel, labelPath } from './label-files.ts'
import { readWaiting, type WaitingServer, type WaitingTool, writeWaiting } from './quarantine-file.ts'
import { signFirst, type VerifiedPin, verifyPins } from './signature.ts'
import type { DefinedTool } from './tool-definition.ts'

/** What the pins say of one server now. */
export type PinState =
  /** No server was ever met under this label. */
  | { readonly kind: 'unmet' }
  /** Others were, and this one was not: what they are, for reading. `isFolderNew`: this one was, before folders counted. */
  | { readonly kind: 'other'; readonly shown: string; readonly isFolderNew: boolean }
  | { readonly kind: 'met'; readonly tools: ReadonlyMap<string, VerifiedPin> }
  /** L3: pins that cannot be read accept nothing. */
  | { readonly kind: 'broken'; readonly why: string }

/** The pins of one server under one label, read again whenever their file or that of the approvers changes. */
export interface PinBook {
  /** As it is now; or, for who came at `since`, as it was found just now and after that. */
  state(since?: number): PinState
  /** Notes that somebody has come to whom it matters. */
  arrive(): number
  /** Pins what is listed at first contact, and returns that; a tool that is pinned already stays as it is. */
  meet(tools: readonly DefinedTool[]): readonly DefinedTool[]
  /** Notes what waits for a person, in place of what waited of these tools; `clear` names those that no longer wait. */
  wait(tools: readonly WaitingTool[], clear: readonly string[]): void
}

export interface PinBookOptions {
  readonly home: Home
  readonly label: string
  readonly server: ServerIdentity
  readonly crypto: Pick<Crypto, 'sha256' | 'verify'>
  readonly gate: Signer
  now(): number
}

export function openPinBook(options: PinBookOptions): PinBook {
  const { home, label, crypto, gate } = options
  const server = keptIdentity(options.server)
  /** Where the pins were last read from. */
  let path: string | undefined
  let known:
    | { readonly pins: Stats | undefined; readonly approvers: Stats | undefined; readonly state: PinState }
    | undefined
  /** The signature of the first contact that this process made: nobody else's is added to. */
  let ours: string | undefined

  const looks = createFreshnessChecks(
    () => {
      // What is kept under several spellings is one again when a person forgets the other.
      if (known === undefined || known.state.kind === 'broken') path = undefined
      path ??= labelPath(home, keptLabel(home, label, crypto), 'pins', crypto)
      const [pins, approvers] = [lookAt(path), lookAt(home.approvers)]
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
        const file = readPins(home, label, crypto) ?? { label: keptLabel(home, label, crypto), servers: [] }
        const met = serverOf(file, server)
        // SECURITY: A20 only the first contact trusts what it sees; another process may have been faster.
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
      const waiting = (servers: readonly WaitingServer[]) =>
        servers.find(({ identity }) => identity.hash === server.hash)?.tools ?? []
      const text = (one: WaitingTool): string => canonicalJson([one.name, one.definition, one.why])
      const before = new Map(waiting(readWaiting(home, label, crypto)).map((one) => [one.name, text(one)]))
      if (tools.every((one) => before.get(one.name) === text(one)) && !clear.some((name) => before.has(name))) return
      withHomeLock(home, () => {
        const servers = readWaiting(home, label, crypto)
        const gone = new Set([...clear, ...tools.map(({ name }) => name)])
        const all = [...waiting(servers).filter(({ name }) => !gone.has(name)), ...tools].slice(-MAX_TOOLS)
        const others = servers.filter(({ identity }) => identity.hash !== server.hash)
        writeWaiting(home, label, [...others, { identity: server, tools: all }], crypto)
      })
    },
  }
}

/** As it is written: a configuration knows the server by its hash without the folder, so that is kept where there is one. */
function keptIdentity({ hash, shown, folderless }: ServerIdentity): ServerIdentity {
  return { hash, shown, ...(typeof folderless === 'string' ? { folderless } : {}) }
}

/** The pins of one server among those of its label. */
export function serverOf(file: PinFile, server: { readonly hash: string }): PinnedServer | undefined {
  return file.servers.find(({ identity }) => identity.hash === server.hash)
}

function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (systemCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}
