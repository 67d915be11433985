import { useApp } from 'ink'
import { useCallback, useMemo, useState } from 'react'

const FROM_KEYS = ['SIGINT', 'SIGQUIT'] as const
let lent = 0

/** Whether another program has the terminal: its Ctrl-C is not meant for us, though the terminal sends it to us as well. */
export function isTerminalLent(): boolean {
  return lent > 0
}

function ignore(): void {}

function lend(): () => void {
  lent += 1
  if (lent === 1) for (const signal of FROM_KEYS) process.on(signal, ignore)
  return () => {
    lent -= 1
    if (lent === 0) for (const signal of FROM_KEYS) process.off(signal, ignore)
  }
}

/** Hands the terminal to another program, such as an editor, for as long as `run` takes. */
export interface Suspension {
  readonly isSuspended: boolean
  suspend<T>(run: () => Promise<T>): Promise<T>
}

/**
 * While it is suspended nothing here may listen to keys: pass `!isSuspended` on to `useKeys`, and give Ink an input that
 * lets go of the terminal with raw mode (`openTerminalInput`).
 */
export function useSuspension(): Suspension {
  const { suspendTerminal, waitUntilRenderFlush } = useApp()
  const [isSuspended, setSuspended] = useState(false)
  const suspend = useCallback(
    async <T>(run: () => Promise<T>): Promise<T> => {
      const takeBack = lend()
      try {
        setSuspended(true)
        await waitUntilRenderFlush()
        const suspension = await suspendTerminal()
        try {
          return await run()
        } finally {
          await suspension.resume()
        }
      } finally {
        setSuspended(false)
        // Until the keyboard is raw again, Ctrl-C is a signal.
        void waitUntilRenderFlush().then(takeBack, takeBack)
      }
    },
    [suspendTerminal, waitUntilRenderFlush],
  )
  return useMemo(() => ({ isSuspended, suspend }), [isSuspended, suspend])
}
