import { safeText } from '@countersign/core'
import { Box, Text } from 'ink'
import { type ReactNode, useEffect, useState } from 'react'
import { type GrantChoice, type PastMatches, pastLines } from '../card/prompt/choice.ts'
import type { Stage } from '../card/prompt/state-machine.ts'
import { createPaint } from '../card/text/color.ts'
import { createRows } from '../card/text/rows.ts'
import type { CardWorld } from './approval-source.ts'

const plain = createPaint(false)

/** Lists the offered grants, then shows the exact scope of the chosen one and its past matches. */
export function GrantDialog({
  stage,
  grants,
  world,
  columns,
  rows,
}: {
  readonly stage: Stage
  readonly grants: readonly GrantChoice[]
  readonly world: CardWorld
  readonly columns: number
  readonly rows: number
}): ReactNode {
  const chosen = stage.kind === 'again' ? stage.grant : null
  const past = usePast(chosen, world)
  const lines = createRows(columns + 1, plain)
  if (chosen === null) {
    lines.text(safeText('also allow, without asking:'))
    for (const [at, { words }] of grants.entries()) lines.text(safeText(`${at + 1}  ${words}`))
  } else {
    lines.text(safeText('approving also allows, without asking:'))
    lines.text(safeText(chosen.words))
    lines.gap()
    for (const line of pastLines(past)) lines.text(safeText(line))
  }
  return (
    <Box flexDirection="column" height={Math.min(rows, lines.lines.length)}>
      {lines.lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the text
        <Text key={at} wrap="truncate-end" bold={chosen !== null}>
          {line === '' ? ' ' : line}
        </Text>
      ))}
    </Box>
  )
}

function usePast(chosen: GrantChoice | null, world: CardWorld): PastMatches {
  const [past, setPast] = useState<PastMatches>(null)
  useEffect(() => {
    setPast(null)
    if (chosen === null) return
    let wanted = true
    const found = world.wouldMatch?.(chosen.grant.scope) ?? Promise.reject(new Error('no history here'))
    found.then(
      (match) => wanted && setPast(match),
      () => wanted && setPast('unknown'),
    )
    return () => {
      wanted = false
    }
  }, [chosen, world])
  return past
}
