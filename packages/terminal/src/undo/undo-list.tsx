import { countedWords, type SafeText, safeText } from '@countersign/core'
import { Box, useApp, useWindowSize } from 'ink'
import { type ReactNode, useEffect, useState } from 'react'
import { createPaint } from '../card/text/color.ts'
import { cutText } from '../card/text/format.ts'
import { join } from '../card/text/rows.ts'
import { Line, Lines } from '../ink/line.tsx'
import { useKeys } from '../ink/use-keys.ts'
import { pickedIn, START, stepUndoList } from './undo-state.ts'

/** Props of the list of calls to undo. */
export interface UndoListProps {
  /** One line for each call, newest first. */
  readonly calls: readonly SafeText[]
  /** What undoing some of them would bring back, as rows. */
  readonly preview: (picked: readonly number[], columns: number) => Promise<readonly string[]>
  readonly color: boolean
  readonly onPick: (picked: readonly number[]) => void
}

const LEAST_LIST = 4

/** Calls to pick, and below them what comes back. */
export function UndoList({ calls, preview, color, onPick }: UndoListProps): ReactNode {
  const { exit } = useApp()
  const { columns, rows } = useWindowSize()
  const [state, setState] = useState(START)
  const paint = createPaint(color)
  const picked = pickedIn(state)
  const key = `${picked.join()} ${columns}`
  const [shown, setShown] = useState<{ readonly key: string; readonly lines: readonly string[] }>({
    key: '',
    lines: [],
  })
  useEffect(() => {
    let isCurrent = true
    const show = (lines: readonly string[]): void => {
      if (isCurrent) setShown({ key, lines })
    }
    const [chosen = ''] = key.split(' ')
    preview(chosen.split(',').map(Number), columns).then(show, (error: unknown) =>
      show([`  ${safeText(error instanceof Error ? error.message : String(error))}`]),
    )
    return () => {
      isCurrent = false
    }
  }, [key, columns, preview])

  const list = Math.min(calls.length, Math.max(LEAST_LIST, Math.floor(rows / 3)))
  const page = Math.max(1, rows - list - 5)
  const from = Math.max(0, Math.min(state.at - Math.floor(list / 2), calls.length - list))
  const lines = shown.key === key ? shown.lines : ['  …']
  const top = Math.min(state.top, Math.max(0, lines.length - page))
  const below = Math.max(0, lines.length - top - page)
  useKeys((keys) => {
    const [only] = keys
    if (only === undefined || keys.length > 1) return
    const next = stepUndoList({ ...state, top }, only, calls.length, page)
    if (next.kind === 'stay') setState(next.state)
    else {
      if (next.kind === 'pick') onPick(next.picked)
      exit()
    }
  })
  const more = calls.length > list ? ` · ${state.at + 1} of ${calls.length}` : ''
  return (
    <Box flexDirection="column" width={columns}>
      <Line>{paint(cutText(safeText(`Undo which call?${more}`), columns), 'bold')}</Line>
      {calls.slice(from, from + list).map((call, place) => {
        const at = from + place
        const mark = state.marked.has(at) ? '●' : state.marked.size > 0 ? '○' : ' '
        const text = cutText(join`${safeText(`${at === state.at ? '›' : ' '} ${mark} `)}${call}`, columns)
        return <Line key={at}>{paint(text, ...(at === state.at ? (['bold'] as const) : []))}</Line>
      })}
      <Line>{paint('─'.repeat(Math.max(1, columns - 1)), 'dim')}</Line>
      <Lines lines={lines.slice(top, top + page)} />
      <Line>
        {paint(
          cutText(safeText(below === 0 ? '' : `▼ ${countedWords(below, 'row')} below, d scrolls`), columns),
          'dim',
        )}
      </Line>
      <Line>
        {paint(
          cutText(
            safeText(
              `Enter undo ${countedWords(picked.length, 'call')} · Space mark · s all since this one · j/k move · d/u scroll · Esc leave`,
            ),
            columns,
          ),
          'cyan',
        )}
      </Line>
    </Box>
  )
}
