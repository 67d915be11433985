import { render } from 'ink'
import { openTerminalInput } from '../ink/terminal-input.ts'
import { ChatApp, type ChatAppProps } from './app.tsx'

/** How a conversation is put on a terminal. */
export interface ChatTerminal extends ChatAppProps {
  /** Another keyboard than the terminal's own. */
  readonly stdin?: NodeJS.ReadableStream
  readonly stdout: NodeJS.WritableStream
  /** Text in a line, without frames or drawing over: for a screen reader. */
  readonly linear: boolean
  /** Aborted, it takes the conversation off the terminal. */
  readonly leaving?: AbortSignal
  /** Hears how long each frame took to draw, in milliseconds. */
  readonly onFrame?: (ms: number) => void
}

/** Shows a conversation until the person leaves it. What was said and done stays on the terminal. */
export async function runChat({ stdin, stdout, linear, leaving, onFrame, ...app }: ChatTerminal): Promise<void> {
  const own = openTerminalInput()
  const shown = render(<ChatApp {...app} />, {
    stdin: stdin ?? own,
    stdout,
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
    isScreenReaderEnabled: linear,
    incrementalRendering: true,
    ...(onFrame === undefined ? {} : { onRender: ({ renderTime }) => onFrame(renderTime) }),
  })
  // Whatever went wrong is said on a terminal that was given back.
  const giveBack = (): void => shown.unmount()
  process.prependListener('uncaughtException', giveBack)
  leaving?.addEventListener('abort', giveBack, { once: true })
  try {
    await shown.waitUntilExit()
  } finally {
    process.off('uncaughtException', giveBack)
    own.close()
  }
}
