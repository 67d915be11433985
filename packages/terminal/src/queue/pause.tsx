import { type SafeText, safeText } from '@countersign/core'
import { type ReactNode, useState } from 'react'
import { PAINTED_MS } from '../card/prompt/state-machine.ts'
import { createPaint } from '../card/text/color.ts'
import { cutText } from '../card/text/format.ts'
import { Line } from '../ink/line.tsx'
import { useKeys } from '../ink/use-keys.ts'
import type { DeskSource } from '../review/approval-source.ts'

/** The pause as the queue shows it. */
export interface Pause {
  /** A person is asked whether to resume: no key may reach a card. */
  readonly isAsked: boolean
  /** Pauses at once, because that only tightens; asks before it resumes. */
  toggle(): void
  resume(): void
  cancel(): void
}

export function usePause(source: DeskSource, paused: SafeText | null, tell: (message: SafeText) => void): Pause {
  const [isWanted, setWanted] = useState(false)
  function change(edit: 'pause' | 'resume'): void {
    source.setPause?.(edit).then(
      (message) => tell(message),
      (error: unknown) => tell(safeText(error instanceof Error ? error.message : String(error))),
    )
  }
  return {
    isAsked: isWanted && paused !== null,
    toggle: () => (paused === null ? change('pause') : setWanted(true)),
    resume() {
      setWanted(false)
      change('resume')
    },
    cancel: () => setWanted(false),
  }
}

/** Tells that everything is paused, or asks whether to resume. */
export function PauseLine({
  paused,
  pause,
  source,
  columns,
  color,
}: {
  readonly paused: SafeText
  readonly pause: Pause
  readonly source: Pick<DeskSource, 'clock'>
  readonly columns: number
  readonly color: boolean
}): ReactNode {
  const paint = createPaint(color)
  if (pause.isAsked) return <ResumeQuestion pause={pause} source={source} columns={columns} color={color} />
  return (
    <Line>{paint(cutText(safeText(`Every call is held (s resumes) · ${paused}`), columns), 'yellow', 'bold')}</Line>
  )
}

function ResumeQuestion({
  pause,
  source: { clock },
  columns,
  color,
}: {
  readonly pause: Pause
  readonly source: Pick<DeskSource, 'clock'>
  readonly columns: number
  readonly color: boolean
}): ReactNode {
  const [openedAt] = useState(() => clock.monotonic())
  useKeys((keys) => {
    // SECURITY: A5 keys typed ahead, or in one burst, do not resume.
    if (clock.monotonic() < openedAt + PAINTED_MS) return
    const [key] = keys
    const isYes = keys.length === 1 && key?.kind === 'text' && key.text.toLowerCase() === 'y'
    if (isYes) pause.resume()
    else pause.cancel()
  })
  const words = 'Resume? Policy and grants apply again. y resume · any other key: stay paused'
  return <Line>{createPaint(color)(cutText(safeText(words), columns), 'yellow', 'bold')}</Line>
}
