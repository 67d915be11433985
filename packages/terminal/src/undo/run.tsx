import { render } from 'ink'
import { openTerminalInput } from '../ink/terminal-input.ts'
import { UndoList, type UndoListProps } from './undo-list.tsx'

/** Options of `pickUndo`. */
export interface UndoTerminal extends Pick<UndoListProps, 'calls' | 'preview' | 'color'> {
  readonly stdout: NodeJS.WritableStream
  /** Plain lines for screen readers. */
  readonly linear: boolean
}

/** Lets a person pick calls to undo; returns their places in the list, none if the person left. */
export async function pickUndo({ calls, preview, color, stdout, linear }: UndoTerminal): Promise<readonly number[]> {
  const stdin = openTerminalInput()
  let picked: readonly number[] = []
  const app = render(
    <UndoList
      calls={calls}
      preview={preview}
      color={color}
      onPick={(given) => {
        picked = given
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
  const giveBack = (): void => app.unmount()
  process.prependListener('uncaughtException', giveBack)
  try {
    await app.waitUntilExit()
  } finally {
    process.off('uncaughtException', giveBack)
    stdin.close()
  }
  return picked
}
