import { CountersignError } from '../../errors.ts'
import { parseEntry, stepEntry } from '../../journal/entry.ts'
import type { Store } from '../../ports/store.ts'
import type { GateContext } from '../context/gate-context.ts'
import { pastEntries } from '../history/journal-scan.ts'

/** Whether a question was worth asking, in the words of the journal. */
export const FEEDBACK = ['worth-asking', 'not-worth-asking'] as const
/** One of `FEEDBACK`. */
export type Feedback = (typeof FEEDBACK)[number]

/** INVARIANT: L10, entries about one call. */
const MOST_ANSWERS = 8

/**
 * Records whether a decided call was worth asking about. It changes no rule and no later verdict: it is a person's opinion, for
 * whoever tunes the policy. The last answer counts.
 */
export async function recordFeedback(
  id: string,
  answer: Feedback,
  surface: string,
  { ports, commit }: Pick<GateContext, 'ports' | 'commit'>,
): Promise<void> {
  if (!FEEDBACK.includes(answer))
    throw new CountersignError('CS_USAGE', '`answer` must be `worth-asking` or `not-worth-asking`')
  const row = await ports.store.call(id)
  if (row?.decision == null)
    throw new CountersignError(
      'CS_DECISION_UNKNOWN',
      `call \`${id}\` was not decided by a person; see \`countersign history\``,
    )
  const { entries } = await ports.store.outlineOf(id, 1_000)
  const before = entries.flatMap(({ line }) => parseEntry(line) ?? []).filter(({ kind }) => kind === 'feedback')
  if (before.at(-1)?.['answer'] === answer) return
  if (before.length >= MOST_ANSWERS)
    throw new CountersignError('CS_QUEUE_FULL', `call \`${id}\` has ${MOST_ANSWERS} answers already; no more are kept`)
  await commit({
    entries: [stepEntry('feedback', id, ports.clock.now(), { answer, rule: row.rule, surface })],
    durable: false,
  })
}

/** How often the questions of one rule were worth asking. */
export interface RuleFeedback {
  readonly rule: string
  readonly worth: number
  readonly notWorth: number
}

const MOST_RULES = 200

/** The answers in the journal, by rule, most answers first. Of each call the last answer counts. */
export async function feedbackByRule(store: Pick<Store, 'head' | 'entries'>): Promise<readonly RuleFeedback[]> {
  const seen = new Set<string>()
  const rules = new Map<string, { worth: number; notWorth: number }>()
  for await (const { call, rule, answer } of pastEntries(store, 'feedback')) {
    if (call === null || call === undefined || typeof rule !== 'string' || seen.has(call)) continue
    seen.add(call)
    const counted = rules.get(rule) ?? { worth: 0, notWorth: 0 }
    if (answer === 'worth-asking') counted.worth += 1
    else counted.notWorth += 1
    rules.set(rule, counted)
  }
  return [...rules]
    .map(([rule, counted]) => ({ rule, ...counted }))
    .sort((a, b) => b.worth + b.notWorth - (a.worth + a.notWorth) || (a.rule < b.rule ? -1 : 1))
    .slice(0, MOST_RULES)
}
