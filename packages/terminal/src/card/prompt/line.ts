import { minuteText, type SafeText, safeText } from '@countersign/core'
import { type PromptFacts, USUAL_VERBS } from './choice.ts'
import type { PromptState } from './state-machine.ts'

/** The one line that is drawn over as time passes. */
export interface PromptLine {
  /** What keys do now. */
  readonly ask: string
  /** Nothing can be done this moment: not worth a line where lines stay. */
  readonly passing: boolean
  /** The text being typed; null where none is. */
  readonly field: string | null
  readonly left: string
}

export function promptLine(
  state: PromptState,
  leftMs: number,
  facts: Pick<PromptFacts, 'passkey' | 'verbs'> = {},
): PromptLine {
  const passing = !state.armed || state.stage.kind === 'sent' || state.stage.kind === 'opening'
  return { ask: askOf(state, facts), passing, field: fieldOf(state), left: leftText(leftMs) }
}

function askOf(state: PromptState, { passkey, verbs = USUAL_VERBS }: Pick<PromptFacts, 'passkey' | 'verbs'>): string {
  const { approve, reject } = verbs
  const { stage } = state
  if (!state.armed && stage.kind !== 'sent') return 'one moment …'
  switch (stage.kind) {
    case 'choose':
      if (passkey === true) return `[${reject}]  ${approve.toLowerCase()}: inbox`
      return state.focus === 'approve' ? `[${approve}]  ${reject} ` : ` ${approve}  [${reject}]`
    case 'again':
      return stage.grant === null ? `press y again to ${approve.toLowerCase()}` : 'press y to approve and give this'
    case 'grant':
      return 'which one? a number, or Esc'
    case 'code':
      return 'code:'
    case 'reason':
      return stage.of === 'approve' ? 'your reason:' : 'why not?'
    case 'passphrase':
      return 'passphrase (not shown):'
    case 'opening':
      return 'opening your key …'
    case 'sent':
      return '…'
  }
}

/** SECURITY: a passphrase is a field that stays empty: neither it nor its length is ever on the screen. */
function fieldOf({ stage }: PromptState): string | null {
  if (stage.kind === 'passphrase') return ''
  return stage.kind === 'code' || stage.kind === 'reason' ? stage.text : null
}

/** Minutes and seconds, with another sign near the end. */
export function leftText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const text = `${minuteText(seconds)} left`
  return seconds <= 10 ? `! ${text}` : text
}

/** What the keys do, printed once under the card. */
export function actionWords(facts: PromptFacts): readonly SafeText[] {
  const { approve, reject } = facts.verbs ?? USUAL_VERBS
  const no = reject.toLowerCase()
  const words = [...(facts.passkey === true ? [] : [`y ${approve.toLowerCase()}`]), `n ${no}`, `r ${no} + why`]
  if (facts.grants.length > 0) words.push('g stop asking')
  if (facts.act === 'manual') words.unshift('d details')
  else words.push(facts.pages > 1 ? 'd read on' : 'd details')
  if (facts.secrets > 0) words.push('v show secrets')
  return [...words, '? help'].map(safeText)
}

/** The help behind `?`. */
export function helpLines(facts: PromptFacts): readonly string[] {
  const approve = {
    one: 'y        approve this one call',
    two: 'y, y     approve this one call: twice, because its risk is high',
    manual: 'd, y     read the details, then type their code and a reason',
  }[facts.act]
  const lines = [
    facts.passkey === true ? 'inbox    only a passkey approves this, and the inbox asks for it' : approve,
    'n, Esc   reject it; the agent is told not to try again unchanged',
    'r        reject it and say why',
    'd        the rest of the card, then the details',
    'Tab      move between Approve and Reject; Enter takes the one in brackets',
    'Ctrl-C   withdraw: nothing runs, nobody decided',
  ]
  if (facts.passkey === true) lines.splice(4, 1)
  if (facts.sealed === true) lines.push('Your key is sealed: deciding asks for its passphrase, which is not shown.')
  if (facts.secrets > 0) lines.splice(4, 0, 'v        everything once more, with its secrets')
  if (facts.grants.length > 0) lines.splice(3, 0, 'g        approve, and do not ask for the same again for a while')
  return lines
}
