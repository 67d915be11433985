import { createHash } from 'node:crypto'
import { canonicalJson, type Json, type Refusal } from '@countersign/core'
import type { AskedCall, CallResult, Tokens } from '../model/model.ts'
import type { Stop } from './stop-reason.ts'

/** Where a loop that gets nowhere ends. Counted anew for each thing the person says. */
export interface Guards {
  /** Turns of the model, of sub-agents too. */
  readonly iterations: number
  /** Refusals of one identical call. */
  readonly repeatedRefusals: number
  /** Rounds of the same calls with the same results. */
  readonly stagnation: number
  /** Tokens in and out, of sub-agents too. */
  readonly tokens: number
  /** Working time; while a person is being asked it stands still. */
  readonly timeMs: number
  /** Calls in a row that came back as errors. What a person rejected is no error. */
  readonly errors: number
  /** Calls of one turn; those beyond are not asked. */
  readonly parallelCalls: number
}

/** What holds unless told otherwise. */
export const DEFAULT_GUARDS: Guards = {
  iterations: 25,
  repeatedRefusals: 3,
  stagnation: 3,
  tokens: 2_000_000,
  timeMs: 60 * 60_000,
  errors: 5,
  parallelCalls: 25,
}

/** One call of a turn and what came of it. */
export interface Asked {
  readonly call: AskedCall
  readonly result: CallResult
  /** Why it did not run; null when it did. */
  readonly refusal: Refusal | null
}

/** Counts for one thing the person said. Each method says whether the loop must end now. */
export interface GuardWatch {
  beforeTurn(): Stop | null
  /** A turn is taken, by the agent or one below it. */
  takeTurn(): void
  spend(tokens: Tokens): void
  afterTurn(asked: readonly Asked[]): Stop | null
}

/** The longest circle of turns that is recognised as going nowhere. */
const LONGEST_CIRCLE = 3

/** Starts to count. */
export function watchGuards(guards: Guards): GuardWatch {
  let spent = 0
  let turns = 0
  let errors = 0
  const refusals = new Map<string, number>()
  const rounds: string[] = []

  function countErrors(asked: readonly Asked[]): void {
    for (const { result, refusal } of asked) {
      if (!result.isError) errors = 0
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
        return stop('tokens', `the limit of ${guards.tokens} tokens is used up; raise it or go on with a smaller task`)
      if (turns >= guards.iterations)
        return stop('iterations', `stopped after ${guards.iterations} turns; say \`go on\`, or raise the limit`)
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
          `the agent asked for the same call of \`${tool}\` ${times} times and was refused each time; tell it what to do instead`,
        )
      }
      countErrors(asked)
      if (errors >= guards.errors)
        return stop(
          'errors',
          `${errors} calls in a row came back as errors; look at the last ones, then say how to go on`,
        )
      rounds.push(hashOf(JSON.stringify(asked.map(({ call, result }) => [nameOf(call), result.text]))))
      if (isCircle(rounds, guards.stagnation))
        return stop('stagnation', `the agent repeats the same calls with the same results; tell it what to do instead`)
      return null
    },
  }
}

/** A stop with its line. */
export function stop(why: Stop['why'], message: string): Stop {
  return { why, message }
}

/** Two calls are identical when tool and arguments are, in whatever order the arguments were written. */
function nameOf({ tool, args }: AskedCall): string {
  return hashOf(JSON.stringify([tool, textOf(args)]))
}

/** SECURITY: L10 a model may nest its arguments deeper than anything can be written; all such calls are one. */
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

/** Whether the last rounds are one to three rounds, `times` times over. */
function isCircle(rounds: readonly string[], times: number): boolean {
  for (let length = 1; length <= LONGEST_CIRCLE; length += 1) {
    const last = rounds.slice(-length * times)
    if (last.length === length * times && last.every((round, at) => round === last[at % length])) return true
  }
  return false
}
