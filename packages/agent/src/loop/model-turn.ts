import type { Clock, IntentTags } from '@countersign/core'
import type { AskedCall, Message, Model, ModelFailed, ModelPart, Tokens, ToolOffer } from '../model/model.ts'
import { estimateTokens } from './estimate-tokens.ts'
import type { AgentEvent } from './event.ts'

/** One whole turn of the model. Nothing of it was acted on yet. */
export interface Turn {
  readonly kind: 'turn'
  readonly text: string
  readonly calls: readonly AskedCall[]
  readonly tags: IntentTags | null
  readonly why: Extract<ModelPart, { kind: 'end' }>['why']
}

/** The person or a guard ended it; the words that came are kept. */
export interface CutTurn {
  readonly kind: 'cut'
  readonly text: string
}

/** What a turn needs. */
export interface TurnParts {
  readonly model: Model
  readonly system: string
  readonly messages: readonly Message[]
  readonly offers: readonly ToolOffer[]
  readonly clock: Clock
  readonly label: string
  readonly signal: AbortSignal
  readonly emit: (event: AgentEvent) => void
}

const NOT_TOLD: Tokens = { input: 0, output: 0 }
const MOST_TRIES = 3
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000
const MOST_TEXT = 400_000
const MOST_CALLS = 1_000

/** Asks the model for a turn, again after a while where that may help: no call of a broken turn was acted on. */
export async function takeTurn(parts: TurnParts): Promise<Turn | CutTurn | ModelFailed> {
  for (let tries = 1; ; tries += 1) {
    const turn = await tryTurn(parts)
    if (turn.kind !== 'failed' || !turn.retryable || tries === MOST_TRIES) return turn
    const waitMs = turn.waitMs ?? FIRST_WAIT_MS * 4 ** (tries - 1)
    if (waitMs > LONGEST_WAIT_MS) return turn
    parts.emit({ kind: 'retry', agent: parts.label, message: turn.message, waitMs })
    await wait(waitMs, parts)
    if (parts.signal.aborted) return { kind: 'cut', text: '' }
  }
}

async function tryTurn(parts: TurnParts): Promise<Turn | CutTurn | ModelFailed> {
  const { model, system, messages, offers, label: agent, emit, signal } = parts
  let text = ''
  let thought = 0
  let isPaid = false
  let hasCome = false
  let tags: IntentTags | null = null
  const calls: AskedCall[] = []
  const pieces = model.turn({ system, messages, tools: offers }, signal)[Symbol.asyncIterator]()
  const cut = abortOf(signal)
  const pay = (told: Tokens): void => {
    isPaid = true
    emit({ kind: 'usage', agent, tokens: estimateTokens(told, { system, messages, offers }, { text, thought, calls }) })
  }
  try {
    for (;;) {
      const next = await Promise.race([pieces.next(), cut.promise])
      if (next === 'aborted' || signal.aborted) return { kind: 'cut', text }
      if (next.done === true) return failed(`the model ${model.name} ended its turn without saying so; try again`, true)
      const part = next.value
      hasCome ||= part.kind !== 'failed'
      switch (part.kind) {
        case 'text':
          text += part.text
          if (text.length > MOST_TEXT) return failed(`the answer of ${model.name} is too long; ask for less at once`)
          emit({ kind: 'text', agent, text: part.text })
          break
        case 'thought':
          thought += part.text.length
          emit({ kind: 'thought', agent, text: part.text })
          break
        case 'intent':
          tags = part.tags
          break
        case 'call':
          if (calls.length === MOST_CALLS) return failed(`${model.name} asks for too many calls; ask for less at once`)
          calls.push(withOwnId(part.call, calls))
          break
        case 'end':
          pay(part.tokens)
          return { kind: 'turn', text, calls, tags, why: part.why }
        case 'failed':
          return part
      }
    }
  } catch (error) {
    if (signal.aborted) return { kind: 'cut', text }
    return failed(`the model ${model.name} failed: ${lineOf(error)}`)
  } finally {
    // A turn that broke off or was cut is paid for as well; one that never began is not.
    if (!isPaid && hasCome) pay(NOT_TOLD)
    cut.end()
    void Promise.resolve(pieces.return?.()).catch(() => {}) // a model that does not hear the abort is left behind
  }
}

function failed(message: string, retryable = false): ModelFailed {
  return { kind: 'failed', message, retryable, waitMs: null }
}

/** Two calls of one id would leave it open which result is whose. */
function withOwnId(call: AskedCall, others: readonly AskedCall[]): AskedCall {
  const isTaken = (id: string) => id === '' || others.some((other) => other.id === id)
  if (!isTaken(call.id)) return call
  let count = others.length + 1
  while (isTaken(`call_${count}`)) count += 1
  return { ...call, id: `call_${count}` }
}

function abortOf(signal: AbortSignal): { promise: Promise<'aborted'>; end: () => void } {
  let end = (): void => {}
  const promise = new Promise<'aborted'>((resolve) => {
    const hear = (): void => resolve('aborted')
    if (signal.aborted) hear()
    signal.addEventListener('abort', hear, { once: true })
    end = () => signal.removeEventListener('abort', hear)
  })
  return { promise, end }
}

async function wait(ms: number, { clock, signal }: Pick<TurnParts, 'clock' | 'signal'>): Promise<void> {
  const cut = abortOf(signal)
  let cancel = (): void => {}
  const over = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve)
  })
  await Promise.race([over, cut.promise])
  cancel()
  cut.end()
}

function lineOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/\s+/g, ' ').slice(0, 300).trim()
}
