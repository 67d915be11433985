import type { PromptFacts } from '@countersign/terminal/card'

/** Confirmations given as flags. */
export interface ConfirmationFlags {
  readonly yes: boolean
  readonly code?: string
  readonly reason?: string
  readonly reveal?: boolean
}

export type MissingConfirmation =
  | { readonly kind: 'none' }
  | { readonly kind: 'ask' }
  | { readonly kind: 'refuse'; readonly message: string }

/**
 * Which confirmation is still missing. The command itself, with the short id, counts as one; the rest is asked on the
 * terminal. SECURITY: A5 without a terminal nothing shows that a person is present, so high risk requires the code:
 * whoever has it has at least opened the details of this request.
 */
export function missingConfirmation(
  act: PromptFacts['act'],
  given: ConfirmationFlags,
  here: { readonly terminal: boolean; readonly code: string; readonly hidden?: number },
): MissingConfirmation {
  const missing = missingAct(act, given, here)
  const hidden = here.hidden ?? 0
  if (hidden === 0 || missing.kind === 'refuse') return missing
  // SECURITY: A14 from medium risk on, nothing is approved with a part of it hidden.
  if (here.terminal) return { kind: 'ask' }
  return given.reveal === true
    ? missing
    : refuse(
        `${hidden === 1 ? 'a hidden secret' : `${hidden} hidden secrets`} must be seen first: read ${hidden === 1 ? 'it' : 'them'} with \`countersign held <id> --reveal\`, then approve with \`--reveal\``,
      )
}

function missingAct(
  act: PromptFacts['act'],
  given: ConfirmationFlags,
  here: { readonly terminal: boolean; readonly code: string },
): MissingConfirmation {
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

function refuse(message: string): MissingConfirmation {
  return { kind: 'refuse', message }
}
