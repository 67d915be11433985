import { ruleWords } from '../../policy/model/verdict.ts'
import { riskRank } from '../../risk/report/level.ts'
import { coverSecrets } from '../../secrets/mask.ts'
import type { Judgement } from '../request/judgement.ts'
import type { Refusal, RefusedRisk } from './outcome.ts'

const MOST_REASONS = 3
const LONGEST = 160

/** Adds what an agent needs to adapt: how risky the call is and why, the part of a command that is, and the rule. */
export function withRisk<Answer extends { readonly kind: string }>(
  answer: Answer | Refusal,
  { risk, verdict }: Judgement,
): Answer | Refusal {
  if (!isRefusal(answer) || answer.risk !== undefined) return answer
  const worst = risk.parts.length < 2 ? undefined : risk.parts.find((part) => part.level === risk.level)
  const about: RefusedRisk = {
    level: risk.level,
    reasons: [...new Set(risk.reasons.map(({ text }) => shortened(text)))].slice(0, MOST_REASONS),
    part: worst === undefined ? null : shortened(coverSecrets(worst.command.text)),
    rule: verdict.rule,
  }
  return { ...answer, risk: about }
}

function isRefusal(answer: { readonly kind: string }): answer is Refusal {
  return answer.kind === 'refusal'
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST).toWellFormed()}…`
}

/**
 * The refusal as a tool result: an error the model reads, with the risk, the part, the rule, and what to do instead.
 *
 * @example
 * const text = result.kind === 'refusal' ? refusalText(result) : String(result.value)
 */
export function refusalText(refusal: Refusal): string {
  return `NOT EXECUTED (${refusal.outcome}): ${refusalWords(refusal)}`
}

/** The same without its first words, for surfaces that begin with their own. */
export function refusalWords(refusal: Refusal): string {
  const { message, reason, risk } = refusal
  const sentences = [
    sentence(message),
    ...(reason === null ? [] : [`The person said: “${reason}”.`]),
    ...(risk === undefined ? [] : riskSentences(risk, refusal)),
    ADVICE[adviceOf(refusal)],
  ]
  return sentences.join(' ')
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

function riskSentences({ level, reasons, part, rule }: RefusedRisk, { message }: Refusal): readonly string[] {
  const where = part === null ? '' : ` in \`${part}\``
  const why = reasons.length === 0 ? '' : `: ${reasons.join('; ')}`
  const rated = riskRank(level) < riskRank('medium') ? [] : [sentence(`Risk: ${level}${where}${why}`)]
  return message.includes(`\`${rule.id}\``) ? rated : [...rated, sentence(`Rule: ${ruleWords(rule)}`)]
}

const UNCHANGED = 'Do not retry this call unchanged.'

const ADVICE = {
  forbidden: `Reach the goal in a way that the rule allows, or tell the user that it is forbidden. ${UNCHANGED}`,
  check: `Correct what the check found, or do it another way. ${UNCHANGED}`,
  words: `Follow what the person said, or ask how to continue. ${UNCHANGED}`,
  rejected: `Ask the person how to continue, or do it another way. ${UNCHANGED}`,
  absent: 'Continue with other work, and ask again when somebody is there, or choose an action of lower risk.',
  unattended: `Choose an action of lower risk, or leave it to a person. ${UNCHANGED}`,
  again: 'Ask again if it is still needed.',
  changed: 'Look at the current state first, then ask again.',
  correct: `Correct the call. ${UNCHANGED}`,
  unknown: `Find out what it did before you repeat anything. ${UNCHANGED}`,
} as const

function adviceOf({ outcome, code, reason }: Refusal): keyof typeof ADVICE {
  switch (outcome) {
    case 'denied':
      return code === 'CS_DENIED' ? 'forbidden' : 'check'
    case 'rejected':
      return reason === null ? 'rejected' : 'words'
    case 'expired':
      return 'absent'
    case 'withdrawn':
      return code === 'CS_NO_INTERFACE' ? 'unattended' : 'again'
    case 'stale':
      return 'changed'
    case 'refused':
      return 'correct'
    case 'unknown':
      return 'unknown'
  }
}
