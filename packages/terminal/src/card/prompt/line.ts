import { minuteText, type SafeText, safeText, USUAL_VERBS } from '@countersign/core'
import type { PromptFacts } from './choice.ts'
import type { PromptState } from './stage.ts'

/** The live line of the prompt. */
export interface PromptLine {
  /** What to press now. */
  readonly ask: string
  /** A temporary state, not printed on plain terminals. */
  readonly passing: boolean
  /** The text being typed; null if there is no field. */
  readonly field: string | null
  readonly left: string
}

export function promptLine(
  state: PromptState,
  leftMs: number,
  facts: Pick<PromptFacts, 'passkey' | 'verbs'> & Partial<Pick<PromptFacts, 'code'>> = {},
): PromptLine {
  const passing = !state.armed || state.stage.kind === 'sent' || state.stage.kind === 'opening'
  return { ask: askOf(state, facts), passing, field: fieldOf(state), left: leftText(leftMs) }
}

function askOf(
  state: PromptState,
  { passkey, code, verbs = USUAL_VERBS }: Pick<PromptFacts, 'passkey' | 'verbs'> & Partial<Pick<PromptFacts, 'code'>>,
): string {
  const { approve, reject } = verbs
  const { stage } = state
  if (!state.armed && stage.kind !== 'sent') return 'one moment …'
  switch (stage.kind) {
    case 'choose':
      if (passkey === true) return `[${reject}]  ${approve.toLowerCase()}: inbox`
      return state.focus === 'approve' ? `[${approve}]  ${reject} ` : ` ${approve}  [${reject}]`
    case 'again':
      if (stage.grant === null) return `press y again to ${approve.toLowerCase()}`
      return 'rule' in stage.grant ? 'press y to approve and add this rule' : 'press y to approve and allow this'
    case 'grant':
      return 'pick one, or Esc'
    case 'code': {
      const shown = stage.proposal?.code ?? code
      return shown === undefined ? 'code:' : `type ${shown} to approve:`
    }
    case 'reason':
      return stage.of === 'approve' ? 'reason:' : 'reason (optional):'
    case 'passphrase':
      return 'passphrase (not shown):'
    case 'opening':
      return 'unlocking your key …'
    case 'sent':
      return '…'
  }
}

/** SECURITY: the passphrase field stays empty: neither the text nor its length is shown. */
function fieldOf({ stage }: PromptState): string | null {
  if (stage.kind === 'passphrase') return ''
  return stage.kind === 'code' || stage.kind === 'reason' ? stage.text : null
}

/** The time left, with a warning sign near the end. */
export function leftText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const text = `${minuteText(seconds)} left`
  return seconds <= 10 ? `! ${text}` : text
}

/** Key hints below the card. */
export function actionWords(facts: PromptFacts): readonly SafeText[] {
  const { approve, reject } = facts.verbs ?? USUAL_VERBS
  const no = reject.toLowerCase()
  const words = [...(facts.passkey === true ? [] : [`y ${approve.toLowerCase()}`]), `n ${no}`, `r ${no} + why`]
  if (facts.grants.length > 0) words.push('g allow similar')
  if (facts.act === 'manual') words.unshift('d details')
  else words.push(facts.pages > 1 ? 'd next page' : 'd details')
  if (facts.secrets > 0) words.push('v show secrets')
  return [...words, '? help'].map(safeText)
}

/** The help behind `?`. */
export function helpLines(facts: PromptFacts): readonly string[] {
  const { approve: yes, reject: no } = facts.verbs ?? USUAL_VERBS
  const approve = {
    one: `y        ${yes.toLowerCase()}`,
    two: `y, y     ${yes.toLowerCase()} (twice, because of its high risk)`,
    manual: 'd, y     read the details, then type the code shown and a reason to approve',
  }[facts.act]
  const lines = [
    facts.passkey === true ? 'inbox    approve in the inbox with a passkey' : approve,
    `n        ${no.toLowerCase()}; the agent is told not to retry unchanged`,
    `r        ${no.toLowerCase()} with a reason`,
    'd        next page, then the details and the digests',
    `Tab      switch between ${yes} and ${no}; Enter picks the one in brackets`,
    'Esc      go back; never decides',
    'Ctrl-C   withdraw the call without a decision; it does not run',
  ]
  if (facts.passkey === true) lines.splice(4, 1)
  if (facts.sealed === true) lines.push('Each decision asks for the passphrase of your key; it is not shown.')
  if (facts.secrets > 0) lines.splice(4, 0, 'v        show the call again with its secrets')
  if (facts.grants.length > 0) lines.splice(3, 0, 'g        approve, and allow similar calls for a while')
  return lines
}
