import type { Confirmation } from '../call/confirmation-level.ts'
import type { Pending } from './buttons.tsx'

/** How far a decision is. */
export type Stage =
  | { readonly kind: 'choose' | 'reject' | 'grant' | 'edit' | 'sent' }
  /** The second act, or the details of a manual one. */
  | { readonly kind: 'again' | 'manual'; readonly pending: Pending }

export const CHOOSE: Stage = { kind: 'choose' }

/** What an approval that takes more than one act goes on with. */
export function stageAfter(act: Confirmation, pending: Pending): Stage {
  return act === 'manual' ? { kind: 'manual', pending } : { kind: 'again', pending }
}

/** Whether the bar shows its buttons; otherwise a form stands there with its own. */
export function hasButtons({ kind }: Stage): boolean {
  return kind === 'choose' || kind === 'again' || kind === 'sent'
}

/** Whether Escape anywhere in the bar goes back. The form of an edit looks for itself: what was written stays. */
export function leavesByEscape({ kind }: Stage): boolean {
  return kind === 'again' || kind === 'manual' || kind === 'reject' || kind === 'grant'
}

/** What is written on the button that approves. */
export function approveWords(stage: Stage, word: string, act: Confirmation): string {
  if (stage.kind === 'sent') return 'Sent…'
  if (stage.kind !== 'again') return act === 'manual' ? `${word}…` : word
  if (stage.pending.edited !== undefined) return `${word} the edited call`
  return stage.pending.grant !== undefined ? `${word} and grant` : `${word}: yes, run it`
}
