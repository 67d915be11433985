import { useReducer, useRef } from 'react'
import type { Key } from '../../card/keys/key.ts'
import { type ComposerState, EMPTY_COMPOSER, stepComposer } from './line-editor.ts'

/** The line a person writes in, on the screen. */
export interface LiveComposer {
  readonly state: ComposerState
  /** Takes keys; gives the whole text when it was sent. */
  take(keys: readonly Key[], canSend: boolean): string | null
  /** Puts a text into the line. */
  put(text: string): void
}

/** Keys may come faster than frames: the line is kept apart from what was drawn of it. */
export function useComposer(): LiveComposer {
  const kept = useRef(EMPTY_COMPOSER)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const set = (state: ComposerState): void => {
    kept.current = state
    redraw()
  }
  return {
    state: kept.current,
    take(keys, canSend) {
      const { state, sent } = stepComposer(kept.current, keys, canSend)
      set(state)
      return sent
    },
    put(text) {
      const cells = Array.from(text)
      set({ ...kept.current, cells, cursor: cells.length, recalled: null })
    },
  }
}
