import { describeCall } from '../../call/describe/describe.ts'
import type { Descriptor } from '../../call/descriptor.ts'
import type { JsonObject } from '../../call/json/json.ts'
import { decompose } from '../../command/decompose.ts'
import { decomposeCall } from '../../command/decompose-call.ts'
import type { Decomposition } from '../../command/model/decomposition.ts'
import type { RatedCall } from '../report/rating-input.ts'
import { findInnerCalls, type InnerCall, type InnerCalls } from './finder.ts'
import { type InnerTool, innerTools } from './possible-tools.ts'
import { InnerWork } from './work-budget.ts'

/** A call inside another, as one of the tools that its name may mean would take it. */
export interface InnerReading {
  readonly call: RatedCall
  readonly command: Decomposition | null
  /** The likeliest of these tools: the risk is rated by this one. */
  readonly isHome: boolean
  readonly isMaybe: boolean
}

export interface InnerReadings extends Pick<InnerCalls, 'missed' | 'unread'> {
  readonly readings: readonly InnerReading[]
}

const REMEMBERED = new WeakMap<RatedCall, InnerReadings>()

/**
 * The calls inside a call, described for every tool that they may mean, their commands taken apart: once, however often
 * the call is judged. Where that is more work than is spent on one call, only its name is read, and it counts as not
 * looked at.
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
  readonly work = new InnerWork()
  readonly #outer: RatedCall
  /** Each distinct text is taken apart once. */
  readonly #commands = new Map<string, Decomposition>()

  constructor(outer: RatedCall) {
    this.#outer = outer
  }

  read(inner: InnerCall): readonly InnerReading[] {
    const tools = innerTools(inner, this.#outer.tool.server)
    return this.#whole(inner, tools) ?? tools.map((tool, at) => this.#one({ ...inner, args: {} }, tool, at))
  }

  /** Null where there is no room for all of it. */
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
    const command = decomposeCall(call, (text) => this.#takeApart(text))
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

  #takeApart(text: string): Decomposition {
    const found = this.#commands.get(text) ?? decompose(text)
    this.#commands.set(text, found)
    return found
  }
}

/** How many characters of a call are parsed: its command and its SQL, or, twice, whatever a tool that runs code is given. */
function codeIn({ args, descriptor }: RatedCall): number {
  const { command, sql, kind }: Descriptor = descriptor
  const runs = command === undefined && kind === 'execute' ? 2 * JSON.stringify(args).length : 0
  return (command?.length ?? 0) + (sql?.length ?? 0) + runs
}
