import type { Confirmation } from '../call/confirmation-level.ts'
import type { Pending } from './buttons.tsx'

/** The step of a decision. */
export type Stage =
  | { readonly kind: 'choose' | 'reject' | 'grant' | 'edit' | 'sent' }
  /** The second press, or the form of manual approval. */
  | { readonly kind: 'again' | 'manual'; readonly pending: Pending }

export const CHOOSE: Stage = { kind: 'choose' }

/** The stage after the first press. */
export function stageAfter(act: Confirmation, pending: Pending): Stage {
  return act === 'manual' ? { kind: 'manual', pending } : { kind: 'again', pending }
}

/** Whether the bar shows its own buttons instead of a form. */
export function hasButtons({ kind }: Stage): boolean {
  return kind === 'choose' || kind === 'again' || kind === 'sent'
}

/** Whether Escape in the bar goes back. The edit form handles Escape itself, to keep changes. */
export function leavesByEscape({ kind }: Stage): boolean {
  return kind === 'again' || kind === 'manual' || kind === 'reject' || kind === 'grant'
}

/** The label of the approve button. */
export function approveWords(stage: Stage, word: string, act: Confirmation): string {
  if (stage.kind === 'sent') return 'Sending…'
  if (stage.kind !== 'again') return act === 'manual' ? `${word}…` : word
  if (stage.pending.edited !== undefined) return `${word} the edited call`
  if (stage.pending.rule !== undefined) return `${word} and add the rule`
  if (stage.pending.grant !== undefined) return `${word} and grant`
  return word === 'Approve' ? `${word} and run` : `${word} now`
}
