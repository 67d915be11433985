import { createHash } from 'node:crypto'
import { canonicalJson, type Json, type Refusal } from '@countersign/core'
import type { AskedCall, CallResult, Tokens } from '../model/model.ts'

/** The limits of a loop, counted for each message of the person. */
export interface Guards {
  /** Model turns, including sub-agents. */
  readonly iterations: number
  /** Refusals of one identical call. */
  readonly repeatedRefusals: number
  /** Rounds of the same calls with the same results. */
  readonly stagnation: number
  /** Tokens in and out, including sub-agents. */
  readonly tokens: number
  /** Working time; it pauses while a person is asked. */
  readonly timeMs: number
  /** Consecutive calls that returned errors; a rejection is not an error, nor is a command's exit code. */
  readonly errors: number
  /** Calls per turn; further ones are refused. */
  readonly parallelCalls: number
}

/** The default limits. */
export const DEFAULT_GUARDS: Guards = {
  iterations: 25,
  repeatedRefusals: 3,
  stagnation: 3,
  tokens: 2_000_000,
  timeMs: 60 * 60_000,
  errors: 5,
  parallelCalls: 25,
}

/** One call of a turn and its result. */
export interface Asked {
  readonly call: AskedCall
  readonly result: CallResult
  /** Why it did not run; null when it did. */
  readonly refusal: Refusal | null
  /** A command that ran and failed: tests and searches do so all the time. */
  readonly hasRun?: boolean
}

/** Counters for one message of the person. Each method returns whether the loop must stop. */
interface GuardWatch {
  beforeTurn(): Stop | null
  /** A turn was taken, by the agent or a sub-agent. */
  takeTurn(): void
  spend(tokens: Tokens): void
  afterTurn(asked: readonly Asked[]): Stop | null
}

/** The longest cycle of turns that is detected. */
const MAX_CYCLE = 3

/** Starts the counters. */
export function watchGuards(guards: Guards): GuardWatch {
  let spent = 0
  let turns = 0
  let errors = 0
  const refusals = new Map<string, number>()
  const rounds: string[] = []

  function countErrors(asked: readonly Asked[]): void {
    for (const { result, refusal, hasRun } of asked) {
      if (!result.isError || hasRun === true) errors = 0
      else if (refusal?.outcome !== 'rejected') errors += 1
    }
  }

  function mostRefused(asked: readonly Asked[]): Asked | undefined {
    for (const { call, refusal } of asked) {
      if (refusal !== null) refusals.set(nameOf(call), (refusals.get(nameOf(call)) ?? 0) + 1)
    }
    return asked.find(({ call }) => (refusals.get(nameOf(call)) ?? 0) >= guards.repeatedRefusals)
  }

  return {
    takeTurn() {
      turns += 1
    },
    beforeTurn() {
      if (spent >= guards.tokens)
        return stop(
          'tokens',
          `the limit of ${guards.tokens} tokens was reached; raise it, or continue with a smaller task`,
        )
      if (turns >= guards.iterations)
        return stop('iterations', `stopped after ${guards.iterations} turns; send \`continue\`, or raise the limit`)
      return null
    },
    spend({ input, output }) {
      spent += input + output
    },
    afterTurn(asked) {
      if (asked.length === 0) return null
      const refused = mostRefused(asked)
      if (refused !== undefined) {
        const { tool } = refused.call
        const times = refusals.get(nameOf(refused.call))
        return stop(
          'repeated-refusal',
          `the agent requested the same call of \`${tool}\` ${times} times and was refused each time; tell it what to do instead`,
        )
      }
      countErrors(asked)
      if (errors >= guards.errors)
        return stop('errors', `${errors} calls in a row returned errors; check the last ones, then say how to continue`)
      rounds.push(hashOf(JSON.stringify(asked.map(({ call, result }) => [nameOf(call), result.text]))))
      if (isCycle(rounds, guards.stagnation))
        return stop('stagnation', `the agent repeats the same calls with the same results; tell it what to do instead`)
      return null
    },
  }
}

export function stop(why: Stop['why'], message: string): Stop {
  return { why, message }
}

/** Calls are identical when tool and arguments are, in any key order. */
function nameOf({ tool, args }: AskedCall): string {
  return hashOf(JSON.stringify([tool, textOf(args)]))
}

/** SECURITY: L10 arguments may be too deep to serialize; all such calls count as one. */
function textOf(args: unknown): string {
  try {
    return canonicalJson(args as Json)
  } catch {
    return 'arguments that cannot be written'
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

/** Whether the last rounds are a cycle of one to three rounds, `times` times. */
function isCycle(rounds: readonly string[], times: number): boolean {
  for (let length = 1; length <= MAX_CYCLE; length += 1) {
    const last = rounds.slice(-length * times)
    if (last.length === length * times && last.every((round, at) => round === last[at % length])) return true
  }
  return false
}

/** Why the loop ended, with one line on what to do next. */
export interface Stop {
  readonly why:
    | 'done'
    | 'aborted'
    | 'iterations'
    | 'repeated-refusal'
    | 'stagnation'
    | 'tokens'
    | 'time'
    | 'errors'
    | 'model-failed'
    | 'broken'
  readonly message: string
}
