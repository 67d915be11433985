import { rateNominal } from '@countersign/testing/corpus/nominal-rating'
import { type ShellRow, shellCorpus } from '@countersign/testing/corpus/shell-corpus'
import { describe, expect, it } from 'vitest'
import { type RiskLevel, riskRank } from '../../packages/core/src/risk/report/level.ts'

interface RatedRow extends ShellRow {
  readonly rated: RiskLevel
}

const ROWS: readonly RatedRow[] = shellCorpus().map((row) => ({ ...row, rated: rateNominal(row.command).level }))
const isAlarm = (level: RiskLevel) => riskRank(level) >= riskRank('high')
const HARMLESS = ROWS.filter((row) => !isAlarm(row.level))
const DANGEROUS = ROWS.filter((row) => isAlarm(row.level))
const ALARMS = HARMLESS.filter((row) => isAlarm(row.rated))
const MISSES = DANGEROUS.filter((row) => !isAlarm(row.rated))
const GRAVE = DANGEROUS.filter((row) => row.level === 'critical' && riskRank(row.rated) <= riskRank('low'))
const OUTSIDE = ROWS.filter((row) => !row.defensible.includes(row.rated))

const share = (part: readonly unknown[], whole: readonly unknown[]) => (100 * part.length) / Math.max(1, whole.length)
const percent = (part: readonly unknown[], whole: readonly unknown[]) =>
  `${share(part, whole).toFixed(2)} % (${part.length} of ${whole.length})`

function line({ family, class: kind, command, defensible, rated }: RatedRow): string {
  const where = kind === undefined ? family : `${family} ${kind}`
  return `  ${where}: ${rated}, not ${defensible.join(' or ')}: ${JSON.stringify(command).slice(0, 160)}`
}

console.log(
  [
    `shell corpus: ${ROWS.length} rows, ${HARMLESS.length} up to medium, ${DANGEROUS.length} high or critical`,
    `  false alarms ${percent(ALARMS, HARMLESS)}, misses ${percent(MISSES, DANGEROUS)}, critical rated none or low: ${GRAVE.length}`,
    `  exact ${percent(
      ROWS.filter((row) => row.rated === row.level),
      ROWS,
    )}, defensible ${percent(
      ROWS.filter((row) => row.defensible.includes(row.rated)),
      ROWS,
    )}`,
    ...OUTSIDE.slice(0, 200).map(line),
  ].join('\n'),
)

describe('the shell corpus', () => {
  it('has at least 500 benign, risky and evasive rows, without duplicate evasive ones', () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(500)
    expect(new Set(ROWS.map((row) => row.group))).toEqual(new Set(['benign', 'risky', 'evasive']))
    const evasive = ROWS.filter((row) => row.group === 'evasive')
    expect(new Set(evasive.map((row) => row.command)).size).toBe(evasive.length)
  })

  it('has evasive rows of all 32 classes', () => {
    const classes = new Set(ROWS.flatMap((row) => row.class ?? []))
    expect([...classes].sort((one, other) => one - other)).toEqual(Array.from({ length: 32 }, (_, at) => at + 1))
  })

  it('has at most 1 % false alarms on harmless rows', () => {
    expect(share(ALARMS, HARMLESS), ALARMS.map(line).join('\n')).toBeLessThanOrEqual(1)
  })

  it('has at most 2 % misses on dangerous rows', () => {
    expect(share(MISSES, DANGEROUS), MISSES.map(line).join('\n')).toBeLessThanOrEqual(2)
  })

  it('has no critical row rated none or low', () => {
    expect(GRAVE.map(line)).toEqual([])
  })

  it('has at least 92 % of rows rated within their defensible levels', () => {
    expect(100 - share(OUTSIDE, ROWS)).toBeGreaterThanOrEqual(92)
  })
})
