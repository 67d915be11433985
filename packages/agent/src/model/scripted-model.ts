import type { Clock } from '@countersign/core'
import type { Message, Model, ModelPart } from './model.ts'
import type { Script, ScriptTurn } from './script.ts'

/** Playback options. */
export interface ScriptPlay {
  /** Milliseconds between pieces of text; default 0. */
  readonly paceMs?: number
  readonly clock?: Clock
}

const PIECE = /\S*\s*/g

/** A model that plays a script, streamed like any other. For demos and tests. */
export function scriptedModel(script: Script, { paceMs = 0, clock }: ScriptPlay = {}): Model {
  const ahead: ScriptTurn[] = [...script.turns]
  let last: ScriptTurn | null = null
  let turns = 0

  function next(messages: readonly Message[]): ScriptTurn {
    if (last !== null && wasRefused(messages)) ahead.unshift(...(last.if_refused ?? []))
    const said = lastWordsOfPerson(messages)
    for (let turn = ahead.shift(); turn !== undefined; turn = ahead.shift()) {
      if (turn.when === undefined || said.includes(turn.when.toLowerCase())) return turn
    }
    return { text: 'That is the end of the script.' }
  }

  function pause(signal: AbortSignal): Promise<void> {
    if (clock === undefined || paceMs <= 0 || signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const cancel = clock.after(paceMs, resolve)
      signal.addEventListener(
        'abort',
        () => {
          cancel()
          resolve()
        },
        { once: true },
      )
    })
  }

  return {
    name: `script/${script.name}`,
    async *turn({ messages }, signal): AsyncGenerator<ModelPart> {
      const turn = next(messages)
      last = turn
      turns += 1
      if (turn.thought !== undefined) yield { kind: 'thought', text: turn.thought }
      for (const [text] of (turn.text ?? '').matchAll(PIECE)) {
        if (text === '') continue
        await pause(signal)
        yield { kind: 'text', text }
      }
      if (turn.intent !== undefined) yield { kind: 'intent', tags: turn.intent }
      const calls = turn.calls ?? []
      for (const [at, { tool, args }] of calls.entries())
        yield { kind: 'call', call: { id: `call_${turns}_${at + 1}`, tool, args } }
      yield { kind: 'end', why: calls.length > 0 ? 'calls' : 'stop', tokens: { input: 0, output: 0 } }
    },
  }
}

/** Whether a call of the last turn failed or its question was cancelled. */
function wasRefused(messages: readonly Message[]): boolean {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'agent') + 1)
  return since.some((message) => {
    if (message.role === 'tool') return message.results.some(({ isError }) => isError)
    return message.role === 'person' && message.text.startsWith('{"proceed":false')
  })
}

function lastWordsOfPerson(messages: readonly Message[]): string {
  const last = messages.findLast((message) => message.role === 'person' && !message.text.startsWith('{"proceed":'))
  return last?.role === 'person' ? last.text.toLowerCase() : ''
}
