import { intentKnowledge, type SingleAction } from '../../knowledge/intent.ts'
import type { RiskLevel } from '../../risk/report/level.ts'
import { PhraseTable } from '../text/phrase-table.ts'
import { type Token, tokenize } from '../text/tokenizer.ts'

/** A command that a message names. The call itself is rated from its arguments; this only reads words. */
export interface NamedCommand {
  readonly action: SingleAction
  readonly level: RiskLevel
}

let table: PhraseTable<NamedCommand> | undefined

function commands(): PhraseTable<NamedCommand> {
  if (table !== undefined) return table
  table = new PhraseTable()
  for (const { phrase, action, level } of intentKnowledge().commands) table.add(phrase, { action, level })
  return table
}

/** The command that starts at a token. */
export function commandAt(tokens: readonly Token[], at: number): NamedCommand | null {
  return commands().match(tokens, at)?.value ?? null
}

const SCRATCH_PATH =
  /(^|[/\s])(node_modules|dist|build|target|\.next|coverage|__pycache__|\.cache|tmp|venv|\.venv|out)(\/\S*)?\s*$/
const MAX_CODE = 4000

/** The worst known command in a piece of code. */
export function commandIn(code: string): NamedCommand | null {
  const text = code.slice(0, MAX_CODE).toLowerCase()
  if (/\b(curl|wget|fetch)\b/.test(text) && /\|\s*(sudo\s+)?(ba|z)?sh\b/.test(text))
    return { action: 'execute', level: 'critical' }
  const tokens = tokenize(text, [])
  let worst: NamedCommand | null = null
  for (let at = 0; at < tokens.length; at++) {
    const found = commandAt(tokens, at)
    if (found !== null && (worst === null || (worst.level !== 'critical' && found.level !== 'medium'))) worst = found
  }
  if (worst?.action === 'delete' && worst.level === 'high' && SCRATCH_PATH.test(text.trim()))
    return { action: 'delete', level: 'low' }
  if (worst?.action === 'delete' && /\brm\b/.test(text) && /(^|\s)(\/|~|\/\*|\$home|\.\.)\s*$/.test(text.trim()))
    return { action: 'delete', level: 'critical' }
  return worst
}
