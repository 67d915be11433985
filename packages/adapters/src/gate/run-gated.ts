import { isJsonObject, type JsonObject } from '@countersign/core'
import { type AskingGate, type GivenAnswer, type GivenPermit, settleCall } from './asking-gate.ts'
import { invalidAnswer, leftCall, RefusedCall, refusedBy } from './refused-call.ts'

/** Asks a gate for one call. When `leaving` is aborted, nobody waits for the answer any more. */
export type Obtain = (leaving: AbortSignal) => Promise<GivenAnswer>

/** A call that may run now, once. */
export interface StartedCall {
  /** A copy of the permitted arguments, which the tool may change. */
  readonly args: JsonObject
  completed(result: unknown): Promise<void>
  failed(error: unknown): Promise<void>
}

/**
 * Obtains a permit, runs the effect once with the permitted arguments and records how it ended. Throws `RefusedCall` if the call
 * may not run, and what the effect throws.
 *
 * INVARIANT: L3, a gate that throws, hangs, answers late or answers something else has allowed nothing.
 */
export async function runGated<Value>(
  gate: AskingGate,
  obtain: Obtain,
  effect: (args: JsonObject) => Value | PromiseLike<Value>,
  signal: AbortSignal | undefined,
): Promise<Awaited<Value>> {
  const started = await startGated(gate, obtain, signal)
  let value: Awaited<Value>
  try {
    value = await effect(started.args)
  } catch (error) {
    await started.failed(error)
    throw error
  }
  await started.completed(value)
  return value
}

/** The same for an effect that yields parts. The call has ended when its last part was read. */
export async function* streamGated<Part>(
  gate: AskingGate,
  obtain: Obtain,
  effect: (args: JsonObject) => AsyncIterable<Part>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Part, void, undefined> {
  const started = await startGated(gate, obtain, signal)
  let last: Part | undefined
  let end = (): Promise<void> => started.failed('the agent stopped reading the result')
  try {
    for await (const part of effect(started.args)) {
      last = part
      yield part
    }
    end = () => started.completed(last)
  } catch (error) {
    end = () => started.failed(error)
    throw error
  } finally {
    await end()
  }
}

/** Obtains the permit of an effect that runs elsewhere. Throws `RefusedCall` if the call may not run. */
export async function startGated(
  gate: AskingGate,
  obtain: Obtain,
  signal: AbortSignal | undefined,
): Promise<StartedCall> {
  const permit = await permitFrom(gate, obtain, signal)
  if (signal?.aborted) throw left(gate, permit)
  // INVARIANT: L7, the tool ran: an outcome that can't be recorded is later reported as unknown.
  return {
    args: structuredClone(permit.args),
    completed: (result) => settleCall(gate, permit, 'completed', undefined, result).catch(() => {}),
    failed: (error) => settleCall(gate, permit, 'failed', wordsOf(error)).catch(() => {}),
  }
}

async function permitFrom(gate: AskingGate, obtain: Obtain, signal: AbortSignal | undefined): Promise<GivenPermit> {
  if (signal?.aborted) throw leftCall()
  const leaving = new AbortController()
  const gone = Promise.withResolvers<never>()
  const leave = (): void => {
    leaving.abort('gone') // the reason by which a gate knows that nothing may run any more
    gone.reject(leftCall())
  }
  signal?.addEventListener('abort', leave, { once: true })
  try {
    const asked = obtaining(obtain, leaving.signal).then((permit) => {
      if (leaving.signal.aborted) throw left(gate, permit)
      return permit
    })
    return await Promise.race([asked, gone.promise])
  } finally {
    signal?.removeEventListener('abort', leave)
  }
}

/** INVARIANT: L6, a permit that came too late runs nothing, and the journal records that. */
function left(gate: AskingGate, permit: GivenPermit): RefusedCall {
  settleCall(gate, permit, 'failed', 'the agent stopped before the tool started; nothing ran').catch(() => {})
  return leftCall()
}

async function obtaining(obtain: Obtain, leaving: AbortSignal): Promise<GivenPermit> {
  let answer: GivenAnswer
  try {
    answer = await obtain(leaving)
  } catch (error) {
    throw refusedBy(error)
  }
  const { kind } = Object(answer)
  if (kind === 'permit' && isPermit(answer)) return answer
  if (kind === 'refusal' && isRefusal(answer)) throw new RefusedCall(answer)
  throw invalidAnswer()
}

function isPermit(answer: GivenAnswer): answer is GivenPermit {
  return answer.kind === 'permit' && typeof answer.callId === 'string' && isJsonObject(answer.args)
}

function isRefusal(answer: GivenAnswer): answer is Exclude<GivenAnswer, GivenPermit> {
  return answer.kind === 'refusal' && typeof answer.message === 'string' && typeof answer.outcome === 'string'
}

function wordsOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'the tool threw something that cannot be read'
  }
}
