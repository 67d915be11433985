import { safeText } from '@countersign/core'
import { Box } from 'ink'
import { type ReactNode, useEffect, useState } from 'react'
import type { Key } from '../card/keys/key.ts'
import type { Paint } from '../card/text/color.ts'
import { cutText } from '../card/text/format.ts'
import { join } from '../card/text/rows.ts'
import { Line } from '../ink/line.tsx'
import { useKeys } from '../ink/use-keys.ts'
import type { ChatSource, GrantLine } from './transcript/source.ts'

/** Lists grants, one per row: arrows select, `d` revokes, Esc closes. */
export function GrantsPanel(props: {
  readonly source: Pick<ChatSource, 'grants' | 'revoke'>
  readonly columns: number
  readonly rows: number
  readonly paint: Paint
  readonly isActive: boolean
  readonly onClose: () => void
}): ReactNode {
  const { source, columns, rows, paint, isActive, onClose } = props
  const [grants, setGrants] = useState<readonly GrantLine[] | null>(null)
  const [at, setAt] = useState(0)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    let isGone = false
    source.grants().then(
      (found) => (isGone ? undefined : setGrants(found)),
      (error: unknown) => (isGone ? undefined : setProblem(wordsOf(error))),
    )
    return () => {
      isGone = true
    }
  }, [source])

  function press(key: Key): void {
    const count = Math.max(1, grants?.length ?? 0)
    if (key.kind === 'escape' || key.kind === 'interrupt' || key.kind === 'enter') onClose()
    else if (key.kind === 'next') setAt((at + (key.arrow === 'up' ? count - 1 : 1)) % count)
    else if (key.kind === 'text' && key.text.toLowerCase() === 'd') {
      const chosen = grants?.[at]
      if (chosen === undefined) return
      source
        .revoke(chosen.id)
        .then(() => source.grants())
        .then(
          (left) => {
            setGrants(left)
            setAt(Math.max(0, Math.min(at, left.length - 1)))
          },
          (error: unknown) => setProblem(wordsOf(error)),
        )
    }
  }
  useKeys((keys) => {
    const [key] = keys
    // Revoke one at a time; Esc always closes.
    if (key !== undefined && (keys.length === 1 || key.kind === 'escape')) press(key)
  }, isActive)

  const room = Math.max(1, rows - 2)
  const top = Math.max(0, Math.min(at - room + 1, (grants?.length ?? 0) - room))
  const shown = grants?.slice(top, top + room) ?? []
  const empty = grants === null ? 'loading …' : 'none'
  return (
    <Box flexDirection="column">
      <Line>
        {paint(grants !== null && grants.length > 0 ? `Grants (${grants.length})` : `Grants: ${empty}`, 'bold')}
      </Line>
      {shown.map(({ id, words }, place) => {
        const isChosen = top + place === at
        const text = cutText(join`${safeText(isChosen ? '❯' : ' ')} ${safeText(id.slice(0, 8))}  ${words}`, columns - 1)
        return <Line key={id}>{isChosen ? paint(text, 'cyan') : text}</Line>
      })}
      <Line>
        {paint(problem === '' ? '↑↓ select · d revoke · Esc close' : cutText(safeText(problem), columns - 1), 'dim')}
      </Line>
    </Box>
  )
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
