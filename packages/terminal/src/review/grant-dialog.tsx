import { lifetimeBounds, proposalDiff, proposalWords, safeText } from '@countersign/core'
import { Box, Text } from 'ink'
import { type ReactNode, useEffect, useState } from 'react'
import type { Key } from '../card/keys/key.ts'
import { type AllowChoice, choiceLines, type PastMatches, pastLines } from '../card/prompt/choice.ts'
import type { Stage } from '../card/prompt/stage.ts'
import { createPaint } from '../card/text/color.ts'
import { createRows } from '../card/text/rows.ts'
import type { CardWorld } from './approval-source.ts'

const plain = createPaint(false)

/** What can be allowed, or the chosen one in full, as rows that scroll. */
export interface GrantRows {
  readonly lines: readonly string[]
  /** Rows above and below the window. */
  readonly above: number
  readonly below: number
  /** SECURITY: A14 every row has been on the screen: only then `y` confirms. */
  readonly isRead: boolean
  readonly isChosen: boolean
  /** Scrolls by a key; false if the key does not scroll. */
  scroll(key: Key): boolean
}

/** The list of what can be allowed, then the exact scope of the chosen one with its past matches, or the chosen rule. */
export function useGrantRows({
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
}): GrantRows {
  const chosen = stage.kind === 'again' ? stage.grant : null
  const past = usePast(chosen, world)
  const all = dialogLines(stage, grants, past, columns)
  const about = JSON.stringify([stage.kind, all])
  const [place, setPlace] = useState({ about, top: 0, read: 0 })
  const last = Math.max(0, all.length - rows)
  const top = place.about === about ? Math.min(place.top, last) : 0
  // Rows count from the top without a gap: a jump to the end leaves the middle unread.
  const read = place.about === about && place.read >= top ? Math.max(place.read, top + rows) : top === 0 ? rows : 0
  return {
    lines: all.slice(top, top + rows),
    above: top,
    below: Math.max(0, all.length - top - rows),
    isRead: read >= all.length,
    isChosen: chosen !== null,
    scroll(key) {
      const by = stepOf(key, Math.max(1, rows - 1))
      if (by === null || last === 0) return false
      setPlace({ about, top: Math.max(0, Math.min(last, top + by)), read })
      return true
    },
  }
}

/** How many rows a key scrolls; null for other keys. */
function stepOf(key: Key, page: number): number | null {
  if (key.kind === 'text') return key.text === ' ' ? page : null
  if (key.kind === 'next') return key.arrow === 'down' ? 1 : key.arrow === 'up' ? -1 : null
  if (key.kind !== 'other') return null
  return key.name === 'page-down' ? page : key.name === 'page-up' ? -page : null
}

function dialogLines(
  stage: Stage,
  grants: readonly AllowChoice[],
  past: PastMatches,
  columns: number,
): readonly string[] {
  const chosen = stage.kind === 'again' ? stage.grant : null
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
    if (chosen.grant.lifetime.kind !== 'session')
      add(`(+ longer, - shorter: ${lifetimeBounds(chosen.grant.lifetime.kind)})`)
    lines.gap()
    for (const line of pastLines(past)) add(line)
  }
  return lines.lines
}

/** Draws the rows in the window. */
export function GrantDialog({ rows: { lines, isChosen } }: { readonly rows: GrantRows }): ReactNode {
  return (
    <Box flexDirection="column" height={lines.length}>
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the text
        <Text key={at} wrap="truncate-end" bold={isChosen}>
          {line === '' ? ' ' : line}
        </Text>
      ))}
    </Box>
  )
}

/** The hint below the rows; empty if all of them are shown. */
export function grantHint({ above, below, isRead, isChosen }: GrantRows): string {
  if (below > 0) return `▼ ${below} more rows, Space to scroll${isChosen && !isRead ? '; y after the last one' : ''}`
  return above > 0 ? 'end of the list, ↑ scrolls back' : ''
}

function ruleLines(stage: Stage): readonly string[] {
  const proposal = stage.kind === 'again' ? stage.proposal : undefined
  return proposal === undefined ? ['checking the rule …'] : [...proposalDiff(proposal), ...proposalWords(proposal)]
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
