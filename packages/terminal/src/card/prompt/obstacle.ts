import type { PromptFacts } from './choice.ts'

/** How much of a call was shown. */
interface Shown {
  /** Pages shown so far. */
  readonly read: number
  /** The secrets have been shown. */
  readonly revealed: boolean
}

/** Why approving is not possible now. SECURITY: A14 nothing is approved before its last line and its secrets were shown. */
export function obstacle(state: Shown, facts: PromptFacts): string | null {
  if (facts.passkey === true) return 'the policy requires a passkey: approve in the inbox'
  if (facts.mustReveal === true && !state.revealed)
    return `show the ${facts.secrets === 1 ? 'hidden secret' : `${facts.secrets} hidden secrets`} first: press v`
  if (state.read >= facts.pages) return null
  return facts.act === 'manual'
    ? 'read the details first: press d'
    : `read to the end first: press d (${state.read} of ${facts.pages} shown)`
}
