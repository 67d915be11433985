import { describeCall } from '../../call/describe/describe.ts'
import type { Descriptor } from '../../call/descriptor.ts'
import type { JsonObject } from '../../call/json/json.ts'
import { decompose } from '../../command/decompose.ts'
import { decomposeCall } from '../../command/decompose-call.ts'
import type { Decomposition } from '../../command/model/decomposition.ts'
import type { RatedCall } from '../report/rating-input.ts'
import { findInnerCalls, type InnerCall, type InnerCalls } from './finder.ts'
import { WorkBudget } from './limits.ts'

/** A nested call, read as a call of one of the tools that its name may mean. */
export interface InnerReading {
  readonly call: RatedCall
  readonly command: Decomposition | null
  /** The most likely of these tools: the risk is rated by this one. */
  readonly isHome: boolean
  readonly isMaybe: boolean
}

export interface InnerReadings extends Pick<InnerCalls, 'missed' | 'unread'> {
  readonly readings: readonly InnerReading[]
}

const REMEMBERED = new WeakMap<RatedCall, InnerReadings>()

/**
 * The calls inside a call, described for every tool that they may mean, with their commands decomposed. Computed once per
 * call. A nested call beyond the work budget is read by its name only, and counts as not analysed.
 */
export function innerReadings(outer: RatedCall): InnerReadings {
  const known = REMEMBERED.get(outer)
  if (known !== undefined) return known
  const { calls, missed, unread } = findInnerCalls(outer.tool.name, outer.args)
  const reader = new Reader(outer)
  const readings = calls.flatMap((inner) => reader.read(inner))
  const found = { readings, missed: reader.work.isSpent ? 'beyond' : missed, unread } as const
  REMEMBERED.set(outer, found)
  return found
}

class Reader {
  readonly work = new WorkBudget()
  readonly #outer: RatedCall
  /** Each distinct text is decomposed once. */
  readonly #commands = new Map<string, Decomposition>()

  constructor(outer: RatedCall) {
    this.#outer = outer
  }

  read(inner: InnerCall): readonly InnerReading[] {
    const tools = innerTools(inner, this.#outer.tool.server)
    return this.#whole(inner, tools) ?? tools.map((tool, at) => this.#one({ ...inner, args: {} }, tool, at))
  }

  /** Null if the budget doesn't cover all of it. */
  #whole(inner: InnerCall, tools: readonly InnerTool[]): readonly InnerReading[] | null {
    if (!this.work.takesArguments(inner.args, tools.length)) return null
    const readings: InnerReading[] = []
    for (const [at, tool] of tools.entries()) {
      const call = this.#describe(tool, inner.args)
      if (!this.work.takesCode(codeIn(call))) return null
      const reading = this.#one(inner, tool, at, call)
      if (!this.work.takesParts(reading.command?.parts.length ?? 0)) return null
      readings.push(reading)
    }
    return readings
  }

  #one({ args, isMaybe }: InnerCall, tool: InnerTool, at: number, call = this.#describe(tool, args)): InnerReading {
    const command = decomposeCall(call, (text) => this.#decompose(text))
    return { call, command, isHome: at === 0, isMaybe }
  }

  #describe({ server, name }: InnerTool, args: JsonObject): RatedCall {
    const source = server === null ? this.#outer.source : 'mcp'
    const descriptor = describeCall({ server, name, source }, args)
    return {
      tool: { server, name, definition: 'unbound' },
      args,
      descriptor,
      annotations: null,
      source,
      cwd: this.#outer.cwd,
    }
  }

  #decompose(text: string): Decomposition {
    const found = this.#commands.get(text) ?? decompose(text)
    this.#commands.set(text, found)
    return found
  }
}

/** The characters of a call that are parsed: its command and SQL, or twice the arguments of a tool that runs code. */
function codeIn({ args, descriptor }: RatedCall): number {
  const { command, sql, kind }: Descriptor = descriptor
  const runs = command === undefined && kind === 'execute' ? 2 * JSON.stringify(args).length : 0
  return (command?.length ?? 0) + (sql?.length ?? 0) + runs
}

/** Longer texts are not names. */
const MAX_NAME = 128

interface InnerTool {
  readonly server: string | null
  readonly name: string
}

/** How many prefixes of a name are followed: `default_api.s.delete_all`. */
const MAX_PREFIXES = 3

/**
 * Every tool that a nested name may mean, the most likely first; rules for any of them apply. SECURITY: A1, a server named
 * beside or before the name adds a tool and hides none, since the outer tool may ignore it.
 */
function innerTools({ name, server, around }: InnerCall, outer: string | null): readonly InnerTool[] {
  const given = server !== null && server.length <= MAX_NAME ? server : null
  const tools = on([given ?? around ?? outer, outer, around, null], name)
  let whole = name
  for (let at = 0; at < MAX_PREFIXES; at++) {
    const [, first, rest] = /^(?:mcp__)?([\w-]+?)(?:\/|__|\.|:)([\w.:/-]+)$/.exec(whole) ?? []
    if (first === undefined || rest === undefined) break
    tools.push(...on([first, outer, null], rest))
    whole = rest
  }
  return tools
}

function on(servers: readonly (string | null)[], name: string): InnerTool[] {
  return [...new Set(servers)].map((server) => ({ server, name }))
}
