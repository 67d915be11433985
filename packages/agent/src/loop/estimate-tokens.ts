import type { AskedCall, Message, Tokens, ToolOffer } from '../model/model.ts'

/** What a turn was asked with. */
interface Given {
  readonly system: string
  readonly messages: readonly Message[]
  readonly offers: readonly ToolOffer[]
}

/** What came of it, whole or not. */
interface Came {
  readonly text: string
  /** Characters of what the model thought. */
  readonly thought: number
  readonly calls: readonly AskedCall[]
}

const CHARACTERS_OF_ONE = 4

/** What a turn cost: what the model tells, and where it tells nothing a guess, so that a bound on tokens always bites. */
export function estimateTokens({ input, output }: Tokens, given: Given, came: Came): Tokens {
  return {
    input: input > 0 ? input : tokensOf(charactersGiven(given)),
    output: output > 0 ? output : tokensOf(came.text.length + came.thought + sum(came.calls.map(lengthOfCall))),
  }
}

function charactersGiven({ system, messages, offers }: Given): number {
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

/** What is nested too deep to be written counts as nothing here; the gate refuses it. */
function lengthOfJson(value: unknown): number {
  try {
    return JSON.stringify(value)?.length ?? 0
  } catch {
    return 0
  }
}

function tokensOf(characters: number): number {
  return Math.ceil(characters / CHARACTERS_OF_ONE)
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, one) => all + one, 0)
}
