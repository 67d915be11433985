import { usePaste, useStdin } from 'ink'
import { useEffectEvent, useLayoutEffect } from 'react'
import type { Key } from '../card/keys/key.ts'
import { createKeyReader } from '../card/keys/key-reader.ts'

type Listener = (keys: readonly Key[]) => void
type Listening = (listener: Listener) => () => void

/** One reader for each keyboard: who begins to listen in the middle of a paste hears of it as a paste. SECURITY: A5. */
const READERS = new WeakMap<NodeJS.ReadableStream, Listening>()

/**
 * The keys of each chunk of raw input, read by the one decoder of every prompt. Ink's own `useInput` takes a chunk
 * apart, and how many keys came at once is what tells a finger from a paste. SECURITY: A5.
 */
export function useKeys(onKeys: Listener, isActive = true): void {
  const { stdin, setRawMode, isRawModeSupported } = useStdin()
  const listens = isActive && isRawModeSupported
  // Switches the terminal's paste brackets on; what is pasted reaches `onKeys` like everything else.
  usePaste(() => {}, { isActive: listens })
  const heard = useEffectEvent(onKeys)
  // Before the paint, so that a terminal that is handed to an editor is let go of at once.
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
      // The keyboard goes from one part to another within a frame. After that it is another program's, and so is the rest.
      setImmediate(() => {
        if (listeners.size === 0) reader.reset()
      })
    }
  }
  READERS.set(stdin, listening)
  return listening
}
