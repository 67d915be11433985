import { type JournalVerdict, safeText } from '@countersign/core'
import { createPaint, type Paint, RISK_GLYPH, RISK_STYLE } from '../color.ts'
import type { Io } from '../io.ts'
import type { Answers } from './answer.ts'
import type { Played } from './play.ts'

const WHO: Readonly<Record<Answers, string>> = {
  person: 'You decide what is held; n or Esc rejects, Ctrl-C leaves.',
  approve: 'Everything that is held is approved (--answers approve).',
  reject: 'Everything that is held is rejected (--answers reject).',
  nobody: 'There is no terminal and no --answers: every held call expires after 3 s.',
}

/** What is about to be seen, and what is real about it. */
export function introduction(root: string, answers: Answers, io: Io): readonly string[] {
  const paint = createPaint(io.color)
  return [
    paint('Countersign: an agent asks, a person countersigns, only then does the tool run.', 'bold'),
    '',
    `A scripted agent works in ${safeText(root)}.`,
    'The gate, its policy (preset balanced), the files and the journal are real. The',
    'agent is a list of seven calls; the tools of the last two only pretend. Your',
    'own policy, store and keys are not touched.',
    WHO[answers],
  ]
}

/** What became of every call, and whether the journal of it all holds. */
export function conclusion(played: readonly Played[], verdict: JournalVerdict, io: Io): readonly string[] {
  const paint = createPaint(io.color)
  const width = Math.max(...played.map(({ title }) => title.length))
  return [
    '',
    paint('What happened', 'bold'),
    ...played.map((one) => row(one, width, paint)),
    '',
    journalWords(verdict, paint),
  ]
}

function row({ title, risk, asked, outcome }: Played, width: number, paint: Paint): string {
  const level = `${RISK_GLYPH[risk]} ${risk}`.padEnd(12)
  return `  ${title.padEnd(width)}  ${paint(level, ...(risk === 'critical' ? (['red', 'bold'] as const) : RISK_STYLE[risk]))}  ${asked ? 'held   ' : 'unasked'} → ${outcome}`
}

function journalWords(verdict: JournalVerdict, paint: Paint): string {
  if (verdict.kind === 'damaged')
    return `${paint('✖', 'red')} the journal does not verify, from entry ${verdict.damage.seq} on: ${safeText(verdict.damage.kind)}`
  return `${paint('✔', 'green')} journal verified: ${verdict.size} entries, intact, signed up to entry ${verdict.signedTo}`
}
