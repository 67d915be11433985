import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RISK_LEVELS, type RiskLevel } from '../../../packages/core/src/risk/report/level.ts'

/** One labelled command. */
export interface ShellRow {
  readonly command: string
  readonly level: RiskLevel
  /** Defensible levels, including the label. */
  readonly defensible: readonly RiskLevel[]
  readonly group: 'benign' | 'risky' | 'evasive'
  /** The bypass class of an evasive row. */
  readonly class?: number
  /** The file of the row. */
  readonly family: string
}

const FOLDER = join(import.meta.dirname, '../../corpus/shell')

const isLevel = (value: unknown): value is RiskLevel => RISK_LEVELS.some((level) => level === value)

/** All rows of `test/corpus/shell`. */
export function shellCorpus(): readonly ShellRow[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'))
  return files.flatMap((name) => {
    const lines = readFileSync(join(FOLDER, name), 'utf8').split('\n')
    return lines.flatMap((line, at) => (line === '' ? [] : [readRow(line, name.slice(0, -6), at + 1)]))
  })
}

function readRow(line: string, family: string, number: number): ShellRow {
  const row = JSON.parse(line) as Omit<ShellRow, 'family'>
  const levels = [row.level, ...row.defensible]
  if (typeof row.command !== 'string' || !levels.every(isLevel) || !row.defensible.includes(row.level))
    throw new Error(`${family}.jsonl:${number} is not a labelled command`)
  return { ...row, family }
}
