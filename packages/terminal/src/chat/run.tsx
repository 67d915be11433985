import { render } from 'ink'
import { openTerminalInput } from '../ink/terminal-input.ts'
import { ChatApp, type ChatAppProps } from './app.tsx'

/** Options of `runChat`. */
export interface ChatTerminal extends ChatAppProps {
  /** Replaces the terminal's keyboard. */
  readonly stdin?: NodeJS.ReadableStream
  readonly stdout: NodeJS.WritableStream
  /** Plain lines for screen readers. */
  readonly linear: boolean
  /** Closes the screen when aborted. */
  readonly leaving?: AbortSignal
  /** Called with the render time of each frame, in milliseconds. */
  readonly onFrame?: (ms: number) => void
}

/** Shows a conversation until the person quits. Its rows stay in the scrollback. */
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
  // Restore the terminal before an error is printed.
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
