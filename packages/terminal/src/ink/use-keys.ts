import { usePaste, useStdin } from 'ink'
import { useEffectEvent, useLayoutEffect } from 'react'
import type { Key } from '../card/keys/key.ts'
import { createKeyReader } from '../card/keys/key-reader.ts'

type Listener = (keys: readonly Key[]) => void
type Listening = (listener: Listener) => () => void

/** One reader per keyboard, so that a listener added during a paste still sees a paste. SECURITY: A5. */
const READERS = new WeakMap<NodeJS.ReadableStream, Listening>()

/**
 * The keys of each chunk of raw input. Ink's own `useInput` splits chunks, but the number of keys per chunk is needed to
 * tell typing from pasting. SECURITY: A5.
 */
export function useKeys(onKeys: Listener, isActive = true): void {
  const { stdin, setRawMode, isRawModeSupported } = useStdin()
  const listens = isActive && isRawModeSupported
  // Enables bracketed paste; pastes reach `onKeys` like other keys.
  usePaste(() => {}, { isActive: listens })
  const heard = useEffectEvent(onKeys)
  // A layout effect, so that the terminal is released at once for an editor.
  useLayoutEffect(() => {
    if (!listens) return
    const stop = listenTo(stdin)((keys) => heard(keys))
    setRawMode(true)
    return () => {
      stop()
      setRawMode(false)
    }
  }, [listens, stdin, setRawMode])
}

function listenTo(stdin: NodeJS.ReadableStream): Listening {
  const known = READERS.get(stdin)
  if (known !== undefined) return known
  const listeners = new Set<Listener>()
  const reader = createKeyReader(
    (ms, wake) => {
      const timer = setTimeout(wake, ms)
      return () => clearTimeout(timer)
    },
    (keys) => {
      for (const listener of [...listeners]) listener(keys)
    },
  )
  const hear = (chunk: string | Buffer): void => reader.hear(String(chunk))
  const listening: Listening = (listener) => {
    if (listeners.size === 0) stdin.on('data', hear)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      stdin.off('data', hear)
      // The focus may move within a frame. After that, another program has the keyboard.
      setImmediate(() => {
        if (listeners.size === 0) reader.reset()
      })
    }
  }
  READERS.set(stdin, listening)
  return listening
}
