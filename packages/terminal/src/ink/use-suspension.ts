import { useApp } from 'ink'
import { useCallback, useMemo, useState } from 'react'

const FROM_KEYS = ['SIGINT', 'SIGQUIT'] as const
let lent = 0

/** Whether another program has the terminal. Its Ctrl-C also reaches this process and must be ignored. */
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

/** Hands the terminal to another program, such as an editor, while `run` runs. */
export interface Suspension {
  readonly isSuspended: boolean
  suspend<T>(run: () => Promise<T>): Promise<T>
}

/**
 * While suspended, nothing may listen to keys: pass `!isSuspended` to `useKeys`, and give Ink an input that releases the
 * terminal with raw mode (`openTerminalInput`).
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
        // Ctrl-C is a signal until raw mode is back.
        void waitUntilRenderFlush().then(takeBack, takeBack)
      }
    },
    [suspendTerminal, waitUntilRenderFlush],
  )
  return useMemo(() => ({ isSuspended, suspend }), [isSuspended, suspend])
}
