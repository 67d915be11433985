import { render } from 'ink'
import { openTerminalInput } from '../ink/terminal-input.ts'
import type { CallReceipt } from '../review/approval-source.ts'
import { QueueApp, type QueueAppProps } from './app.tsx'

/** How the queue is put on a terminal. */
export interface QueueTerminal extends Pick<QueueAppProps, 'source' | 'color' | 'title'> {
  readonly stdout: NodeJS.WritableStream
  /** Text in a line, without frames or drawing over: for a screen reader. */
  readonly linear: boolean
}

/** Shows the queue until the person leaves it; gives the receipts they saw, oldest first. */
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
  // Whatever went wrong is said on the screen that stays.
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
