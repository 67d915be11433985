import { render } from 'ink'
import { openTerminalInput } from '../ink/terminal-input.ts'
import type { CallReceipt } from '../review/approval-source.ts'
import { QueueApp, type QueueAppProps } from './app.tsx'

/** Options of `runQueue`. */
export interface QueueTerminal extends Pick<QueueAppProps, 'source' | 'color' | 'title'> {
  readonly stdout: NodeJS.WritableStream
  /** Plain lines for screen readers. */
  readonly linear: boolean
}

/** Shows the queue until the person quits; returns the receipts, oldest first. */
export async function runQueue(terminal: QueueTerminal): Promise<readonly CallReceipt[]> {
  const { source, color, title, stdout, linear } = terminal
  const stdin = openTerminalInput()
  let receipts: readonly CallReceipt[] = []
  const app = render(
    <QueueApp
      source={source}
      color={color}
      title={title}
      onState={(state) => {
        receipts = state.receipts
      }}
    />,
    {
      stdin,
      stdout,
      interactive: true,
      exitOnCtrlC: false,
      patchConsole: false,
      isScreenReaderEnabled: linear,
      alternateScreen: !linear,
    },
  )
  // Restore the terminal before an error is printed.
  const giveBack = (): void => app.unmount()
  process.prependListener('uncaughtException', giveBack)
  try {
    await app.waitUntilExit()
  } finally {
    process.off('uncaughtException', giveBack)
    stdin.close()
  }
  return receipts.toReversed()
}
