import { type Crypto, type Json, type JsonObject, safeText } from '@countersign/core'
import { type Home, openGateKey } from '@countersign/node'
import { disguisedAmong, knownNames } from '../json/member-scanner.ts'
import { nextCursorOf } from '../wire/list-cursor.ts'
import type { Catalogue, ToolStanding } from './catalogue.ts'
import { openPinBook, type PinBook, type PinBookOptions } from './server-pins.ts'
import { findOddText, isSmuggling, type OddText } from './suspicious-text.ts'
import { besideDefinition, type DefinedTool, readTool } from './tool-definition.ts'
import { type QuarantineReason, standingOf } from './tool-standing.ts'

/** Something about a server's tools that belongs in the journal. Told once for each definition. */
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
  /** An entry of the list that is no tool; the client does not get it. */
  | { readonly kind: 'unreadable'; readonly why: string }
  /** What was to be kept could not be written; its tools stay in quarantine. */
  | { readonly kind: 'unwritten'; readonly why: string }

export interface CatalogueOptions {
  readonly home: Home
  /** The name of the server in policies: `--name`. */
  readonly label: string
  readonly server: PinBookOptions['server']
  readonly crypto: Pick<Crypto, 'sha256' | 'verify'>
  now(): number
  /** `ask`: a person accepts also what is listed at first contact. Default `pin`. */
  readonly firstContact?: 'pin' | 'ask'
  report(note: CatalogueNote): void
}

interface Listed {
  readonly defined: DefinedTool
  readonly twice: boolean
}

/** What a page of a list says to a client. */
const PAGE = knownNames('tools', 'nextCursor', 'resultType', 'ttlMs', 'cacheScope')

/** L10: what a process remembers of one server. */
const MAX_LISTED = 4000
const MAX_NOTES = 20_000

/** What all clients of one server share: its pins, what was told, and whether this is the first contact. */
export interface Meeting {
  readonly book: PinBook
  readonly told: Set<string>
  isFirst: boolean
  hasListed: boolean
}

/** Meets a server, for however many clients. */
export function meetServer(options: CatalogueOptions): Meeting {
  const book = openPinBook({ ...options, gate: openGateKey(options.home) })
  const isFirst = options.firstContact !== 'ask' && book.state().kind === 'unmet'
  return { book, told: new Set(), isFirst, hasListed: false }
}

/**
 * The tools of one server against its pins, for one client: a server may list other tools to another. Everything that
 * cannot be checked is in quarantine.
 */
export function createCatalogue(options: CatalogueOptions, met: Meeting = meetServer(options)): Catalogue {
  const { crypto, report } = options
  const label = commandLabel(options)
  const { book, told } = met
  let listed = new Map<string, Listed>()
  /** The listing that is being paged through; it replaces `listed` when it is whole. */
  let pass = new Map<string, Listed>()
  let isWhole = false
  let isHeard = false

  const once = (key: string, note: CatalogueNote): void => {
    if (told.has(key) || told.size >= MAX_NOTES) return
    told.add(key)
    report(note)
  }

  const enter = (defined: DefinedTool): void => {
    const { name } = defined.tool
    const before = pass.get(name)
    const twice = before !== undefined && (before.twice || before.defined.hash !== defined.hash)
    if (pass.size >= MAX_LISTED && before === undefined) return
    pass.set(name, { defined, twice })
    if (listed.size < MAX_LISTED || listed.has(name)) listed.set(name, { defined, twice })
  }

  const pin = (tools: readonly DefinedTool[]): void => {
    const plain = tools.filter(({ tool }) => listed.get(tool.name)?.twice === false && !isSmuggling(tool.definition))
    try {
      const pinned = book.meet([...new Map(plain.map((one) => [one.tool.name, one])).values()])
      if (pinned.length > 0) report({ kind: 'pinned', tools: pinned.map(({ tool, hash }) => [tool.name, hash]) })
    } catch (error) {
      met.isFirst = false
      report({ kind: 'unwritten', why: messageOf(error) })
    }
  }

  /** Where a tool stands now; what waits is told, and noted for the person. */
  const weigh = (tools: readonly DefinedTool[]): ReadonlyMap<string, ToolStanding> => {
    const state = book.state()
    const standings = new Map<string, ToolStanding>()
    const waiting: { name: string; definition: Json; why: string; at: number }[] = []
    for (const { tool, hash } of tools) {
      const entry = listed.get(tool.name)
      if (entry === undefined) continue
      const { standing, reason, more } = standingOf(entry.defined, state, label, entry.twice)
      standings.set(tool.name, standing)
      const odd = findOddText(tool.definition)
      if (odd.length > 0) once(`odd ${hash}`, { kind: 'odd-text', tool: tool.name, hash, found: odd })
      if (standing.kind !== 'quarantined' || reason === null) continue
      const why = standing.why + more
      if (reason !== 'broken' && reason !== 'twice')
        waiting.push({ name: tool.name, definition: tool.definition, why, at: options.now() })
      once(`${reason} ${hash}`, { kind: 'quarantined', tool: tool.name, hash, reason, why })
    }
    const clear = [...standings].filter(([, { kind }]) => kind === 'accepted').map(([name]) => name)
    if (state.kind !== 'broken') note(waiting, clear)
    return standings
  }

  /** What a tool brings beside its definition is not pinned, and some clients show it to the model. */
  const lookAround = ({ tool, hash }: DefinedTool, listed: Json | undefined): void => {
    const found = findOddText(besideDefinition(listed))
    if (found.length > 0) once(`odd around ${hash}`, { kind: 'odd-text', tool: tool.name, hash, found })
  }

  const note = (waiting: Parameters<typeof book.wait>[0], clear: readonly string[]): void => {
    try {
      book.wait(waiting, clear)
    } catch (error) {
      once('unwritten', { kind: 'unwritten', why: messageOf(error) })
    }
  }

  return {
    async take(result, { cursor }) {
      const { tools } = result
      // SECURITY: A20 what is listed under another name is not looked at here, and is by a reader that ignores case.
      const disguised = disguisedAmong(Object.keys(result), PAGE)
      if (disguised !== null) throw new Error(`${JSON.stringify(disguised.slice(0, 64))} looks like another member`)
      if (!Array.isArray(tools)) throw new Error('it has no `tools`')
      if (cursor === null) pass = new Map()
      const read = (tools as readonly Json[]).map((entry) => readTool(entry, crypto))
      const known = read.filter((one) => typeof one !== 'string')
      for (const one of known) enter(one)
      isHeard = true
      met.hasListed = true
      if (met.isFirst) pin(known)
      const standings = weigh(known)
      if (nextCursorOf(result, cursor) === null) {
        listed = pass
        isWhole = true
        met.isFirst = false
      }
      for (const [at, one] of read.entries()) if (typeof one !== 'string') lookAround(one, tools[at])
      for (const one of read) if (typeof one === 'string') once(`unreadable ${one}`, { kind: 'unreadable', why: one })
      return pageOf(result, read, standings)
    },
    arrive: book.arrive,
    find(name, since) {
      // A tool is used: what its server adds from now on was not there when the person let it in.
      if (met.hasListed) met.isFirst = false
      const state = book.state(since)
      const entry = listed.get(name)
      if (entry !== undefined) return standingOf(entry.defined, state, label, entry.twice).standing
      if (!isWhole && state.kind === 'met') {
        const pinned = readTool(state.tools.get(name)?.pinned.definition, crypto)
        if (typeof pinned !== 'string' && pinned.tool.name === name)
          return standingOf(pinned, state, label, false).standing
      }
      if (state.kind === 'broken')
        return { kind: 'unadvertised', why: `${state.why}; else run \`countersign mcp forget ${label}\` in a terminal` }
      const why = isHeard ? 'its server does not list it' : 'its server could not be asked which tools it has'
      return { kind: 'unadvertised', why: `${why}; list the tools again and use one of them` }
    },
  }
}

/**
 * The page the client gets: as it came, unless something on it is in quarantine. SECURITY: A20 the text of such a tool
 * may be the attack, so the model reads ours in its place, and a cached copy is not kept.
 */
function pageOf(
  result: JsonObject,
  read: readonly (DefinedTool | string)[],
  standings: ReadonlyMap<string, ToolStanding>,
): JsonObject {
  let isChanged = false
  const listed = result['tools'] as readonly Json[]
  const tools = read.flatMap((one, at): readonly Json[] => {
    const standing = typeof one === 'string' ? undefined : standings.get(one.tool.name)
    const entry = listed[at]
    if (standing?.kind === 'accepted' && entry !== undefined) return [entry]
    isChanged = true
    return standing?.kind === 'quarantined' && !hasOddName(standing) ? [placeholder(standing)] : []
  })
  if (!isChanged) return result
  return { ...result, tools, ...(result['ttlMs'] === undefined ? {} : { ttlMs: 0 }) }
}

function hasOddName({ tool }: Extract<ToolStanding, { kind: 'quarantined' }>): boolean {
  return findOddText(tool.name).length > 0
}

function placeholder({ tool, fix }: Extract<ToolStanding, { kind: 'quarantined' }>): Json {
  const description = `In quarantine at the Countersign gate: its definition was not accepted. Calls are refused; ${fix}.`
  return { name: tool.name, description, inputSchema: { type: 'object' } }
}

/** The server as the commands that a person is told to run name it. */
function commandLabel({ label, home }: CatalogueOptions): string {
  return home.chosen === 'given' ? `${label} --home ${safeText(home.dir)}` : label
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
