import { type JournalVerdict, RISK_GLYPH, type RiskLevel, type SafeText, safeText } from '@countersign/core'
import { createPaint, cutText, type Paint, RISK_STYLE } from '@countersign/terminal/card'
import type { ChatRow } from '@countersign/terminal/chat'
import type { Conversation } from '../chat/conversation.ts'
import { printChat } from '../chat/plain-chat.ts'
import type { Io } from '../terminal/io.ts'
import type { Answers } from './playback.ts'

const WHO: Readonly<Record<Answers, string>> = {
  approve: 'Every held call is approved (--answers approve).',
  reject: 'Every held call is rejected (--answers reject).',
  nobody: 'No terminal and no --answers: every held call expires after 2 s.',
}

const WIDEST = 80
const EFFECT = 40

/** The introduction of the interactive demo. */
export function introduction(root: string): readonly SafeText[] {
  return [
    safeText('Demo: your agent asks, you countersign, and only then does the tool run.'),
    safeText(
      `A scripted agent works in ${root}. Gate, policy (preset balanced), files and journal are real; two of its tools are fake. Your own policy, store and keys are not touched.`,
    ),
  ]
}

/** The introduction of an unattended run. */
export function unattendedIntroduction(root: string, answers: Answers, io: Io): readonly string[] {
  const paint = createPaint(io.color)
  return [
    paint('Countersign: your agent asks, you countersign, only then does the tool run.', 'bold'),
    '',
    `A scripted agent works in ${safeText(root)}.`,
    'Gate, policy (preset balanced), files and journal are real; two of its tools',
    'are fake. Your own policy, store and keys are not touched.',
    WHO[answers],
  ]
}

/** The outcome of every call, and whether the journal verifies. */
export function conclusion(outcomes: readonly CallOutcome[], verdict: JournalVerdict, io: Io): readonly string[] {
  const paint = createPaint(io.color)
  const columns = Math.min(io.columns, WIDEST)
  return [
    '',
    paint('What happened', 'bold'),
    ...outcomes.map((one) => row(one, columns, paint)),
    '',
    journalWords(verdict, paint),
  ]
}

function row({ tool, effect, risk, asked, outcome }: CallOutcome, columns: number, paint: Paint): string {
  const what = cutText(effect ?? tool, Math.min(EFFECT, columns - 4)).padEnd(EFFECT)
  // A call that was never judged has no risk level.
  if (risk === null) return `  ${what}  ${' '.repeat(12)}  skipped   → ${outcome}`
  const word = `${RISK_GLYPH[risk]} ${risk}`.padEnd(12)
  const style = risk === 'critical' ? (['red', 'bold'] as const) : RISK_STYLE[risk]
  return `  ${what}  ${paint(word, ...style)}  ${asked ? 'held     ' : 'not held '} → ${outcome}`
}

function journalWords(verdict: JournalVerdict, paint: Paint): string {
  if (verdict.kind === 'damaged')
    return `${paint('✖', 'red')} journal damaged from entry ${verdict.damage.seq} on: ${safeText(verdict.damage.kind)}`
  return `${paint('✔', 'green')} journal verified: ${verdict.size} entries, intact, signed up to entry ${verdict.signedTo}`
}

/** The outcome of one call. */
interface CallOutcome {
  readonly tool: SafeText
  readonly agent: SafeText | null
  readonly effect: SafeText | null
  readonly risk: RiskLevel | null
  readonly asked: boolean
  readonly outcome: string
}

/** Collects the outcome of every call, in order. */
export function collectOutcomes(conversation: Conversation): readonly CallOutcome[] {
  const outcomes: CallOutcome[] = []
  printChat(conversation, {
    columns: 80,
    color: false,
    print() {},
    onRow: (row) => outcomes.push(...outcomesOf(row)),
  })
  return outcomes
}

function outcomesOf(row: ChatRow): readonly CallOutcome[] {
  if (row.kind !== 'tool') return []
  const { tool, agent, effect, risk, heldAt, state } = row
  return [{ tool, agent, effect, risk, asked: heldAt !== null, outcome: state }]
}
