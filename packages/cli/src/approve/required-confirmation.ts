import type { PromptFacts } from '@countersign/terminal/card'

/** What the command line brings towards an approval. */
export interface GivenActs {
  readonly yes: boolean
  readonly code?: string
  readonly reason?: string
}

export type MissingAct =
  | { readonly kind: 'none' }
  | { readonly kind: 'ask' }
  | { readonly kind: 'refuse'; readonly message: string }

/**
 * What an approval still lacks. Typing the command with its mark is one deliberate act; the rest is asked on the terminal.
 * SECURITY: A5 without a terminal nobody shows that a person is there, so from high on the code is needed: whoever has it
 * has at least read the details of this very request.
 */
export function missingAct(
  act: PromptFacts['act'],
  given: GivenActs,
  here: { readonly terminal: boolean; readonly code: string },
): MissingAct {
  if (act === 'one') return { kind: 'none' }
  const hasCode = given.code?.trim().toLowerCase() === here.code
  if (given.code !== undefined && !hasCode)
    return refuse('wrong code for this call; `countersign held <id>` shows the right one')
  const hasReason = given.reason !== undefined && given.reason.trim() !== ''
  if (act === 'manual') {
    if (hasCode && hasReason) return { kind: 'none' }
    return here.terminal
      ? { kind: 'ask' }
      : refuse('manual supervision needs `--reason` and `--code`; `countersign held <id>` shows the code')
  }
  if (hasCode || (given.yes && here.terminal)) return { kind: 'none' }
  return here.terminal
    ? { kind: 'ask' }
    : refuse('without a terminal, high and critical risk need `--code`; `countersign held <id>` shows the code')
}

function refuse(message: string): MissingAct {
  return { kind: 'refuse', message }
}
