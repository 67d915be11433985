import type { Clock, IntentTags } from '@countersign/core'
import type { AskedCall, Message, Model, ModelFailed, ModelPart, Tokens, ToolOffer } from '../model/model.ts'
import { lastWords } from '../tools/definition/output-limit.ts'
import type { AgentEvent } from './event.ts'

/** One complete model turn. Nothing of it was acted on yet. */
export interface Turn {
  readonly kind: 'turn'
  readonly text: string
  /** The end of its thinking. */
  readonly thought: string
  readonly calls: readonly AskedCall[]
  readonly tags: IntentTags | null
  readonly why: Extract<ModelPart, { kind: 'end' }>['why']
}

/** The person or a limit ended it; its text is kept. */
interface CutTurn {
  readonly kind: 'cut'
  readonly text: string
}

/** What a turn needs. */
interface TurnParts {
  readonly model: Model
  readonly system: string
  readonly messages: readonly Message[]
  readonly offers: readonly ToolOffer[]
  readonly clock: Clock
  readonly label: string
  readonly signal: AbortSignal
  readonly emit: (event: AgentEvent) => void
}

const UNREPORTED: Tokens = { input: 0, output: 0 }
const MAX_TRIES = 3
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000
const MAX_TEXT = 400_000
const MAX_CALLS = 1_000
/** More than the gate keeps. */
const MAX_THOUGHT = 16_000

/** Asks the model for a turn, with retries: no call of a broken turn was acted on. */
export async function takeTurn(parts: TurnParts): Promise<Turn | CutTurn | ModelFailed> {
  for (let tries = 1; ; tries += 1) {
    const turn = await tryTurn(parts)
    if (turn.kind !== 'failed' || !turn.retryable || tries === MAX_TRIES) return turn
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
  let thinking = ''
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
      if (next.done === true) return failed(`the model ${model.name} ended its turn unexpectedly; try again`, true)
      const part = next.value
      hasCome ||= part.kind !== 'failed'
      switch (part.kind) {
        case 'text':
          text += part.text
          if (text.length > MAX_TEXT) return failed(`the answer of ${model.name} is too long; request less at once`)
          emit({ kind: 'text', agent, text: part.text })
          break
        case 'thought':
          thought += part.text.length
          thinking = lastWords(thinking + part.text, MAX_THOUGHT)
          emit({ kind: 'thought', agent, text: part.text })
          break
        case 'intent':
          tags = part.tags
          break
        case 'call':
          if (calls.length === MAX_CALLS) return failed(`${model.name} requests too many calls; request less at once`)
          calls.push(withOwnId(part.call, calls))
          break
        case 'end':
          pay(part.tokens)
          return { kind: 'turn', text, thought: thinking, calls, tags, why: part.why }
        case 'failed':
          return part
      }
    }
  } catch (error) {
    if (signal.aborted) return { kind: 'cut', text }
    return failed(`the model ${model.name} failed: ${lineOf(error)}`)
  } finally {
    // A broken turn costs tokens too; one that never started does not.
    if (!isPaid && hasCome) pay(UNREPORTED)
    cut.end()
    void Promise.resolve(pieces.return?.()).catch(() => {}) // a model that ignores the abort is abandoned
  }
}

function failed(message: string, retryable = false): ModelFailed {
  return { kind: 'failed', message, retryable, waitMs: null }
}

/** Gives each call a unique id, so that results can be matched. */
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

/** The input of a turn. */
interface TurnInput {
  readonly system: string
  readonly messages: readonly Message[]
  readonly offers: readonly ToolOffer[]
}

/** The output of a turn, complete or not. */
interface TurnOutput {
  readonly text: string
  /** The number of characters of reasoning. */
  readonly thought: number
  readonly calls: readonly AskedCall[]
}

const CHARACTERS_PER_TOKEN = 4

/** The tokens of a turn: as reported, or estimated, so that a token limit always works. */
function estimateTokens({ input, output }: Tokens, given: TurnInput, came: TurnOutput): Tokens {
  return {
    input: input > 0 ? input : tokensOf(charactersGiven(given)),
    output: output > 0 ? output : tokensOf(came.text.length + came.thought + sum(came.calls.map(lengthOfCall))),
  }
}

function charactersGiven({ system, messages, offers }: TurnInput): number {
  return system.length + sum(messages.map(lengthOf)) + sum(offers.map(lengthOfJson))
}

function lengthOf(message: Message): number {
  switch (message.role) {
    case 'person':
      return message.text.length
    case 'agent':
      return message.text.length + sum(message.calls.map(lengthOfCall))
    case 'tool':
      return sum(message.results.map(({ text }) => text.length))
  }
}

function lengthOfCall({ tool, args }: AskedCall): number {
  return tool.length + lengthOfJson(args)
}

/** Values too deep to serialize count as nothing; the gate refuses them. */
function lengthOfJson(value: unknown): number {
  try {
    return JSON.stringify(value)?.length ?? 0
  } catch {
    return 0
  }
}

function tokensOf(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN)
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, one) => all + one, 0)
}
