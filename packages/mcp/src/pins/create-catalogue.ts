import { type Crypto, type Json, type JsonObject, safeText } from '@countersign/core'
import { type Home, openGateKey } from '@countersign/node'
import { knownNames, lookalikeAmong } from '../json/member-scanner.ts'
import type { Catalogue, ToolStatus } from './catalogue.ts'
import { nextCursorOf } from './catalogue.ts'
import { openServerPins, type ServerPins, type ServerPinsOptions } from './server-pins.ts'
import { findOddText, hasHiddenText, type OddText } from './suspicious-text.ts'
import { type DefinedTool, extraMembers, readTool } from './tool-definition.ts'
import { type QuarantineReason, toolStatus } from './tool-status.ts'

/** An event about a server’s tools for the journal, reported once per definition. */
export type CatalogueNote =
  | { readonly kind: 'pinned'; readonly tools: readonly (readonly [name: string, hash: string])[] }
  | {
      readonly kind: 'quarantined'
      readonly tool: string
      readonly hash: string
      readonly reason: QuarantineReason
      readonly why: string
    }
  | { readonly kind: 'odd-text'; readonly tool: string; readonly hash: string; readonly found: readonly OddText[] }
  /** An entry of the list that is not a tool; the client does not get it. */
  | { readonly kind: 'unreadable'; readonly why: string }
  /** Pins or quarantine could not be written; the tools stay in quarantine. */
  | { readonly kind: 'unwritten'; readonly why: string }

export interface CatalogueOptions {
  readonly home: Home
  /** The name of the server in policies: `--name`. */
  readonly label: string
  readonly server: ServerPinsOptions['server']
  readonly crypto: Pick<Crypto, 'sha256' | 'verify'>
  now(): number
  /** `ask`: a person must also accept what is listed at first contact. Default `pin`. */
  readonly firstContact?: 'pin' | 'ask'
  report(note: CatalogueNote): void
}

interface Listed {
  readonly defined: DefinedTool
  readonly twice: boolean
}

/** The members of a list page. */
const PAGE = knownNames('tools', 'nextCursor', 'resultType', 'ttlMs', 'cacheScope')

/** L10: limits per server. */
const MAX_LISTED = 4000
const MAX_NOTES = 20_000

/** What all clients of one server share: its pins, the reported events, and whether this is the first contact. */
export interface ServerContact {
  readonly pins: ServerPins
  readonly reported: Set<string>
  isFirst: boolean
  hasListed: boolean
}

/** Opens the contact with a server, for any number of clients. */
export function contactServer(options: CatalogueOptions): ServerContact {
  const pins = openServerPins({ ...options, gate: openGateKey(options.home) })
  const isFirst = options.firstContact !== 'ask' && pins.state().kind === 'unmet'
  return { pins, reported: new Set(), isFirst, hasListed: false }
}

/**
 * Compares the tools of one server with its pins, for one client: a server may list other tools to another client.
 * Whatever cannot be checked is quarantined.
 */
export function createCatalogue(options: CatalogueOptions, met: ServerContact = contactServer(options)): Catalogue {
  const { crypto, report } = options
  const label = commandLabel(options)
  const { pins, reported } = met
  let listed = new Map<string, Listed>()
  /** The listing in progress; it replaces `listed` when it is complete. */
  let pass = new Map<string, Listed>()
  let isComplete = false
  let hasList = false

  const once = (key: string, note: CatalogueNote): void => {
    if (reported.has(key) || reported.size >= MAX_NOTES) return
    reported.add(key)
    report(note)
  }

  const addTool = (defined: DefinedTool): void => {
    const { name } = defined.tool
    const before = pass.get(name)
    const twice = before !== undefined && (before.twice || before.defined.hash !== defined.hash)
    if (pass.size >= MAX_LISTED && before === undefined) return
    pass.set(name, { defined, twice })
    if (listed.size < MAX_LISTED || listed.has(name)) listed.set(name, { defined, twice })
  }

  const pin = (tools: readonly DefinedTool[]): void => {
    const plain = tools.filter(({ tool }) => listed.get(tool.name)?.twice === false && !hasHiddenText(tool.definition))
    try {
      const pinned = pins.meet([...new Map(plain.map((one) => [one.tool.name, one])).values()])
      if (pinned.length > 0) report({ kind: 'pinned', tools: pinned.map(({ tool, hash }) => [tool.name, hash]) })
    } catch (error) {
      met.isFirst = false
      report({ kind: 'unwritten', why: messageOf(error) })
    }
  }

  /** The status of each tool; quarantined tools are reported, and stored for the person. */
  const assess = (tools: readonly DefinedTool[]): ReadonlyMap<string, ToolStatus> => {
    const state = pins.state()
    const statuses = new Map<string, ToolStatus>()
    const waiting: { name: string; definition: Json; why: string; at: number }[] = []
    for (const { tool, hash } of tools) {
      const entry = listed.get(tool.name)
      if (entry === undefined) continue
      const { status, reason, more } = toolStatus(entry.defined, state, label, entry.twice)
      statuses.set(tool.name, status)
      const odd = findOddText(tool.definition)
      if (odd.length > 0) once(`odd ${hash}`, { kind: 'odd-text', tool: tool.name, hash, found: odd })
      if (status.kind !== 'quarantined' || reason === null) continue
      const why = status.why + more
      if (reason !== 'broken' && reason !== 'twice')
        waiting.push({ name: tool.name, definition: tool.definition, why, at: options.now() })
      once(`${reason} ${hash}`, { kind: 'quarantined', tool: tool.name, hash, reason, why })
    }
    const clear = [...statuses].filter(([, { kind }]) => kind === 'accepted').map(([name]) => name)
    if (state.kind !== 'broken') note(waiting, clear)
    return statuses
  }

  /** Members outside the definition are not pinned, but some clients show them to the model. */
  const checkExtras = ({ tool, hash }: DefinedTool, listed: Json | undefined): void => {
    const found = findOddText(extraMembers(listed))
    if (found.length > 0) once(`odd around ${hash}`, { kind: 'odd-text', tool: tool.name, hash, found })
  }

  const note = (waiting: Parameters<typeof pins.wait>[0], clear: readonly string[]): void => {
    try {
      pins.wait(waiting, clear)
    } catch (error) {
      once('unwritten', { kind: 'unwritten', why: messageOf(error) })
    }
  }

  return {
    async take(result, { cursor }) {
      const { tools } = result
      // SECURITY: A20 a client that ignores case would read a list that was not checked here.
      const disguised = lookalikeAmong(Object.keys(result), PAGE)
      if (disguised !== null) throw new Error(`${JSON.stringify(disguised.slice(0, 64))} looks like another member`)
      if (!Array.isArray(tools)) throw new Error('it has no `tools`')
      if (cursor === null) pass = new Map()
      const read = (tools as readonly Json[]).map((entry) => readTool(entry, crypto))
      const known = read.filter((one) => typeof one !== 'string')
      for (const one of known) addTool(one)
      hasList = true
      met.hasListed = true
      if (met.isFirst) pin(known)
      const statuses = assess(known)
      if (nextCursorOf(result, cursor) === null) {
        listed = pass
        isComplete = true
        met.isFirst = false
      }
      for (const [at, one] of read.entries()) if (typeof one !== 'string') checkExtras(one, tools[at])
      for (const one of read) if (typeof one === 'string') once(`unreadable ${one}`, { kind: 'unreadable', why: one })
      return pageOf(result, read, statuses)
    },
    arrive: pins.arrive,
    find(name, since) {
      // First contact ends with the first call: whatever the server adds later needs acceptance.
      if (met.hasListed) met.isFirst = false
      const state = pins.state(since)
      const entry = listed.get(name)
      if (entry !== undefined) return toolStatus(entry.defined, state, label, entry.twice).status
      if (!isComplete && state.kind === 'met') {
        const pinned = readTool(state.tools.get(name)?.pinned.definition, crypto)
        if (typeof pinned !== 'string' && pinned.tool.name === name)
          return toolStatus(pinned, state, label, false).status
      }
      if (state.kind === 'broken')
        return { kind: 'unadvertised', why: `${state.why}; or run \`countersign mcp forget ${label}\` in a terminal` }
      const why = hasList ? 'its server does not list it' : 'its server has not listed its tools'
      return { kind: 'unadvertised', why: `${why}; list the tools again and use one of them` }
    },
  }
}

/**
 * The page for the client: as received, unless a tool on it is quarantined. SECURITY: A20 the text of such a tool may
 * be the attack, so the model reads ours instead, and the client must not cache the page.
 */
function pageOf(
  result: JsonObject,
  read: readonly (DefinedTool | string)[],
  statuses: ReadonlyMap<string, ToolStatus>,
): JsonObject {
  let isChanged = false
  const listed = result['tools'] as readonly Json[]
  const tools = read.flatMap((one, at): readonly Json[] => {
    const status = typeof one === 'string' ? undefined : statuses.get(one.tool.name)
    const entry = listed[at]
    if (status?.kind === 'accepted' && entry !== undefined) return [entry]
    isChanged = true
    return status?.kind === 'quarantined' && !hasOddName(status) ? [placeholder(status)] : []
  })
  if (!isChanged) return result
  return { ...result, tools, ...(result['ttlMs'] === undefined ? {} : { ttlMs: 0 }) }
}

function hasOddName({ tool }: Extract<ToolStatus, { kind: 'quarantined' }>): boolean {
  return findOddText(tool.name).length > 0
}

function placeholder({ tool, fix }: Extract<ToolStatus, { kind: 'quarantined' }>): Json {
  const description = `In quarantine at the Countersign gate: its definition was not accepted. Calls are refused; ${fix}.`
  return { name: tool.name, description, inputSchema: { type: 'object' } }
}

/** The server as it appears in commands for the person. */
function commandLabel({ label, home }: CatalogueOptions): string {
  return home.chosen === 'given' ? `${label} --home ${safeText(home.dir)}` : label
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
