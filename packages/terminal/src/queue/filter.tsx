import { safeText } from '@countersign/core'
import type { ReactNode } from 'react'
import { editText, expandPastes } from '../card/keys/text-field.ts'
import { createPaint } from '../card/text/color.ts'
import { cutText } from '../card/text/format.ts'
import { Line } from '../ink/line.tsx'
import { useKeys } from '../ink/use-keys.ts'

const LONGEST = 200

/** The filter of the queue. While it is open, it takes every key: none reaches a card. */
export function QueueFilter({
  text,
  isOpen,
  columns,
  color,
  onText,
  onClose,
}: {
  readonly text: string
  readonly isOpen: boolean
  readonly columns: number
  readonly color: boolean
  readonly onText: (text: string) => void
  readonly onClose: () => void
}): ReactNode {
  const paint = createPaint(color)
  useKeys((keys) => {
    let typed = text
    for (const key of expandPastes(keys)) {
      if (key.kind === 'escape' || key.kind === 'interrupt') typed = ''
      typed = editText(typed, key, LONGEST) ?? typed
      if (key.kind === 'enter' || key.kind === 'escape' || key.kind === 'interrupt') onClose()
    }
    if (typed !== text) onText(typed)
  }, isOpen)
  const hint = isOpen ? 'words, agent: risk: tool: in: · Enter keeps · Esc shows all' : '/ changes it'
  const shown = cutText(safeText(`filter: ${text}${isOpen ? '▏' : ''}  `), Math.max(20, columns - hint.length - 1))
  return <Line>{`${paint(shown, 'bold')}${paint(cutText(safeText(hint), columns - shown.length), 'dim')}`}</Line>
}
