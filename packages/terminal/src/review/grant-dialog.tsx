import { proposalDiff, proposalWords, safeText } from '@countersign/core'
import { Box, Text } from 'ink'
import { type ReactNode, useEffect, useState } from 'react'
import { type AllowChoice, choiceLines, type PastMatches, pastLines } from '../card/prompt/choice.ts'
import type { Stage } from '../card/prompt/stage.ts'
import { createPaint } from '../card/text/color.ts'
import { createRows } from '../card/text/rows.ts'
import type { CardWorld } from './approval-source.ts'

const plain = createPaint(false)

/** Lists what can be allowed, then shows the exact scope of the chosen one with its past matches, or the chosen rule. */
export function GrantDialog({
  stage,
  grants,
  world,
  columns,
  rows,
}: {
  readonly stage: Stage
  readonly grants: readonly AllowChoice[]
  readonly world: CardWorld
  readonly columns: number
  readonly rows: number
}): ReactNode {
  const chosen = stage.kind === 'again' ? stage.grant : null
  const past = usePast(chosen, world)
  const lines = createRows(columns + 1, plain)
  const add = (text: string): void => lines.text(safeText(text))
  if (chosen === null) {
    add('also allow, without asking:')
    for (const line of choiceLines(grants)) add(line)
  } else if ('rule' in chosen) {
    add(`approving also adds this rule to your policy, for ${chosen.rule.words}:`)
    for (const line of ruleLines(stage)) add(line)
  } else {
    add('approving also allows, without asking:')
    add(chosen.words)
    lines.gap()
    for (const line of pastLines(past)) add(line)
  }
  return (
    <Box flexDirection="column" height={Math.min(rows, lines.lines.length)}>
      {cutRows(lines.lines, rows).map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the text
        <Text key={at} wrap="truncate-end" bold={chosen !== null}>
          {line === '' ? ' ' : line}
        </Text>
      ))}
    </Box>
  )
}

function ruleLines(stage: Stage): readonly string[] {
  const proposal = stage.kind === 'again' ? stage.proposal : undefined
  return proposal === undefined ? ['checking the rule …'] : [...proposalDiff(proposal), ...proposalWords(proposal)]
}

/** As many rows as fit. The last one says how many are missing. */
function cutRows(all: readonly string[], rows: number): readonly string[] {
  if (all.length <= rows) return all
  return [
    ...all.slice(0, rows - 1),
    safeText(`… ${all.length - rows + 1} more rows; make the window larger to see them`),
  ]
}

function usePast(chosen: AllowChoice | null, world: CardWorld): PastMatches {
  const [past, setPast] = useState<PastMatches>(null)
  useEffect(() => {
    setPast(null)
    if (chosen === null || 'rule' in chosen) return
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
