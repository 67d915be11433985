/** The development corpora of `readIntent`: recall and false alarms, compared with a simple list of patterns. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ACTION_TYPES, RISK_LEVELS, readIntent } from '../../packages/core/src/index.ts'

interface Row {
  readonly text: string
  readonly confirmation_required: boolean
  readonly lang: string
  readonly risk_level?: string
  readonly action_type?: string
}

const FOLDER = new URL('intent/', import.meta.url)

const rowsOf = (name: string): readonly Row[] =>
  readFileSync(new URL(name, FOLDER), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)

/** A simple approach: patterns over the whole text. */
const NAIVE = [
  /delete.*\d+.*(?:records|files|users)/i,
  /(?:rm|remove).*-r.*/i,
  /drop.*(?:table|database)/i,
  /should I proceed/i,
  /this will (?:delete|remove|overwrite)/i,
]

function score(rows: readonly Row[], isRequired: (text: string) => boolean) {
  const wanted = rows.filter((row) => row.confirmation_required)
  const others = rows.filter((row) => !row.confirmation_required)
  return {
    recall: wanted.filter(({ text }) => isRequired(text)).length / wanted.length,
    falseAlarms: others.filter(({ text }) => isRequired(text)).length / others.length,
  }
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`

const CORPORA = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'))

describe.each(CORPORA)('the corpus %s', (name) => {
  const rows = rowsOf(name)

  it('66: reaches a recall of at least 95 % with at most 3 % false alarms, far better than a list of patterns', () => {
    const ours = score(rows, (text) => readIntent(text).confirmation_required)
    const naive = score(rows, (text) => NAIVE.some((pattern) => pattern.test(text)))
    for (const [who, { recall, falseAlarms }] of Object.entries({ ours, naive }))
      console.log(
        `${name}, ${rows.length} rows, ${who}: recall ${percent(recall)}, false alarms ${percent(falseAlarms)}`,
      )
    expect(ours.recall).toBeGreaterThanOrEqual(0.95)
    expect(ours.falseAlarms).toBeLessThanOrEqual(0.03)
    // Recall minus false alarms: the list fires so rarely that its false alarms alone say little.
    expect(ours.recall - ours.falseAlarms).toBeGreaterThan(naive.recall - naive.falseAlarms + 0.4)
  })

  it('gets action and level right in labelled rows', () => {
    const named = rows.filter((row) => row.action_type !== undefined || row.risk_level !== undefined)
    const wrong = named.filter(({ text, action_type, risk_level }) => {
      const found = readIntent(text)
      return (
        found.action_type !== (action_type ?? found.action_type) ||
        found.risk_level !== (risk_level ?? found.risk_level)
      )
    })
    expect(wrong.length).toBeLessThanOrEqual(named.length * 0.05)
  })

  it('never returns a word outside the closed sets', () => {
    for (const { text } of rows) {
      const { action_type, risk_level } = readIntent(text)
      expect(ACTION_TYPES).toContain(action_type)
      expect(RISK_LEVELS).toContain(risk_level)
    }
  })
})
