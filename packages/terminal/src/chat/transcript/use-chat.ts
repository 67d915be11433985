import { useEffect, useReducer } from 'react'
import { type ChatState, EMPTY_CHAT, forgetPrinted, moveInHeld, stepChat } from './reducer.ts'
import type { ChatEvent, ChatSource } from './source.ts'

/** Events are batched for this long, to leave time for keys. */
const FRAME_MS = 33

type Move = readonly ChatEvent[] | { readonly move: 1 | -1 } | { readonly printed: number }

function step(state: ChatState, move: Move): ChatState {
  if ('move' in move) return moveInHeld(state, move.move)
  return 'printed' in move ? forgetPrinted(state, move.printed) : stepChat(state, move)
}

/** A conversation on the screen. */
export interface LiveChat {
  readonly state: ChatState
  /** Adds events. */
  tell(...events: readonly ChatEvent[]): void
  /** Selects another held call. */
  look(by: 1 | -1): void
}

/** Subscribes to a conversation and batches its events by frame. */
export function useChat(source: ChatSource): LiveChat {
  const [state, dispatch] = useReducer(step, EMPTY_CHAT)
  useEffect(() => {
    let waiting: ChatEvent[] = []
    let cancel: (() => void) | null = null
    const flush = (): void => {
      cancel = null
      const events = waiting
      waiting = []
      dispatch(events)
    }
    const stop = source.subscribe((event) => {
      waiting.push(event)
      cancel ??= source.clock.after(FRAME_MS, flush)
    })
    return () => {
      stop()
      cancel?.()
    }
  }, [source])
  // Count only rows that this frame has printed.
  const { done, forgotten } = state
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are counted again each time some were forgotten
  useEffect(() => dispatch({ printed: done.length }), [done.length, forgotten])
  return { state, tell: (...events) => dispatch(events), look: (by) => dispatch({ move: by }) }
}
