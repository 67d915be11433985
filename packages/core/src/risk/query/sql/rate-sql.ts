import { finding, type RiskFinding } from '../../report/finding.ts'
import { riskRank } from '../../report/level.ts'
import { rateStatement } from './rate-statement.ts'
import { executed, executedTexts, innerChanges, isRoutine, splitSql } from './statements.ts'
import { isAmbiguous, type LexedSql, lexSql, MYSQL, PLAIN, POSTGRES } from './tokenizer.ts'

/** Longer text is not analysed. */
const MAX_SQL = 64 * 1024

const READS = finding('none', 'sql.read', 'only reads data')

/**
 * Rates SQL text by its worst statement, including changes inside CTEs. Text that dialects read differently is read in each
 * way; text that no dialect can parse to its end is at least high.
 */
export function rateSql(sql: string): RiskFinding {
  return rateText(sql, 0)
}

/** How deep text that a statement runs as SQL is followed. */
const MAX_DEPTH = 3

function rateText(sql: string, depth: number): RiskFinding {
  if (sql.length > MAX_SQL) return finding('high', 'sql.long', 'the SQL is too long to analyze', 'unknown')
  const readings = (isAmbiguous(sql) ? [POSTGRES, MYSQL, PLAIN] : [POSTGRES]).map((reading) => lexSql(sql, reading))
  const whole = readings.some((lexed) => lexed.whole)
  // A dialect that can't parse further stops there, unless none can: then what runs is unknown.
  const rated = readings.map((lexed) => rateTokens(lexed, depth, !whole))
  const found = rated.map(({ worst }) => worst)
  if (!rated.some((one) => one.whole)) found.push(UNPARSED)
  return found.reduce(worse, READS)
}

const UNPARSED = finding('high', 'sql.unparsed', 'can’t be parsed as SQL to its end', 'unknown')

function rateTokens(
  lexed: LexedSql,
  depth: number,
  withTail: boolean,
): { readonly worst: RiskFinding; readonly whole: boolean } {
  const { statements, whole } = splitSql(lexed.tokens)
  const ended = lexed.whole || withTail || lexed.tokens.at(-1)?.text === ';'
  let worst = READS
  for (const given of ended ? statements : statements.slice(0, -1)) {
    const statement = executed(given)
    worst = worse(worst, rateStatement(statement))
    if (isRoutine(statement)) continue
    for (const inner of innerChanges(statement)) worst = worse(worst, rateStatement(inner))
    for (const text of executedTexts(statement)) if (depth < MAX_DEPTH) worst = worse(worst, rateText(text, depth + 1))
  }
  return { worst, whole: lexed.whole && whole }
}

function worse(one: RiskFinding, other: RiskFinding): RiskFinding {
  return riskRank(other.level) > riskRank(one.level) ? other : one
}
