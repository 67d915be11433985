import { SQL } from '../../../knowledge/compiled/queries.ts'
import type { SqlToken } from './tokenizer.ts'

/** The tokens of one statement, or of a change inside another one. */
export type SqlStatement = readonly SqlToken[]

export interface SplitSql {
  readonly statements: readonly SqlStatement[]
  /** False if the last body that BEGIN opened has no end. */
  readonly whole: boolean
}

const ROUTINES: ReadonlySet<string> = new Set(['procedure', 'proc', 'function', 'trigger', 'event', 'package'])
const NO_BLOCK_END: ReadonlySet<string> = new Set(['if', 'loop', 'while', 'repeat', 'case', 'for'])

/** Splits tokens at semicolons and at T-SQL's `GO`; the body of a routine stays with its CREATE. */
export function splitSql(tokens: readonly SqlToken[]): SplitSql {
  const statements: SqlToken[][] = []
  let current: SqlToken[] = []
  let depth = 0
  const close = (): void => {
    if (current.length > 0) statements.push(current)
    current = []
    depth = 0
  }
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'client') {
      close()
      statements.push([token])
      continue
    }
    if (token.text === ';' && token.kind === 'mark' && depth === 0) {
      close()
      continue
    }
    if (token.kind === 'word' && token.text === 'go' && current.length > 0 && depth === 0) {
      close()
      continue
    }
    current.push(token)
    if (token.kind !== 'word' || !isRoutine(current)) continue
    if (token.text === 'begin' || token.text === 'case') depth++
    else if (token.text === 'end' && depth > 0 && !NO_BLOCK_END.has(tokens[at + 1]?.text ?? '')) depth--
  }
  const whole = depth === 0
  close()
  return { statements, whole }
}

/** Whether it creates code that is stored and not run now. */
export function isRoutine(statement: SqlStatement): boolean {
  const first = statement[0]?.text
  if (first !== 'create' && first !== 'alter') return false
  return statement.slice(1, 8).some(({ kind, text }) => kind === 'word' && ROUTINES.has(text))
}

/** After one of these, a verb is part of another clause: `FOR UPDATE`, `ON DELETE CASCADE`, `WHEN … THEN DELETE`. */
const CLAUSES: ReadonlySet<string> = new Set(
  'for on do key of or after before then no grant revoke deny instead and by , .'.split(' '),
)

/**
 * The changes inside a statement: in a CTE, or after it, since T-SQL needs no semicolon. Each extends to the end of its
 * bracket.
 */
export function innerChanges(statement: SqlStatement): readonly SqlStatement[] {
  const found: SqlStatement[] = []
  for (let at = 1; at < statement.length && found.length < 64; at++) {
    if (startsChange(statement, at)) found.push(untilClosed(statement, at))
  }
  return found
}

function startsChange(statement: SqlStatement, at: number): boolean {
  const token = statement[at]
  if (token?.kind !== 'word' || CLAUSES.has(statement[at - 1]?.text ?? '')) return false
  const next = statement[at + 1]
  const after = next?.kind === 'word' ? next.text : ''
  switch (token.text) {
    case 'delete':
      return after === 'from' || (statement[0]?.text === 'with' && statement[at - 1]?.text === ')')
    case 'insert':
    case 'merge':
      return after === 'into'
    case 'update':
      return statement.slice(at + 2, at + 10).some(({ kind, text }) => kind === 'word' && text === 'set')
    case 'drop':
    case 'create':
      return SQL.objects.has(after)
    case 'alter':
      return SQL.objects.has(after) && statement[0]?.text !== 'alter'
    case 'truncate':
      return after === 'table'
    case 'exec':
    case 'execute':
      return next?.kind === 'word' || next?.kind === 'name'
    case 'shutdown':
      return next === undefined || after === 'with'
    default:
      return false
  }
}

function untilClosed(statement: SqlStatement, from: number): SqlStatement {
  let depth = 0
  for (let at = from; at < statement.length; at++) {
    const text = statement[at]?.kind === 'mark' ? statement[at]?.text : ''
    if (text === '(') depth++
    else if (text === ')' && --depth < 0) return statement.slice(from, at)
  }
  return statement.slice(from)
}

const EXPLAINED: ReadonlySet<string> = new Set(
  'select insert update delete merge with values create execute replace truncate call declare refresh table drop'.split(
    ' ',
  ),
)

/** The part that runs: nothing of an EXPLAIN without ANALYZE, the inner statement of EXPLAIN ANALYZE and PREPARE. */
export function executed(statement: SqlStatement): SqlStatement {
  const first = statement[0]?.kind === 'word' ? statement[0].text : ''
  if (first === 'prepare') {
    const as = statement.findIndex(({ kind, text }) => kind === 'word' && (text === 'as' || text === 'from'))
    return as === -1 ? statement : statement.slice(as + 1)
  }
  if (first !== 'explain') return statement
  const at = statement.findIndex(({ kind, text }, index) => index > 0 && kind === 'word' && EXPLAINED.has(text))
  if (at === -1) return []
  const options = statement.slice(1, at)
  const analyze = options.findIndex(({ text }) => text === 'analyze' || text === 'analyse')
  const off = /^(?:false|off|0)$/.test(options[analyze + 1]?.text ?? '')
  return analyze === -1 || off ? [] : statement.slice(at)
}

const RUNS_TEXT: ReadonlySet<string> = new Set(['do', 'exec', 'execute'])

/** Texts a statement runs as SQL: the body of DO, and the strings of EXEC and EXECUTE. */
export function executedTexts(statement: SqlStatement): readonly string[] {
  if (!statement.some(({ kind, text }) => kind === 'word' && RUNS_TEXT.has(text))) return []
  return statement
    .filter(({ kind }) => kind === 'string')
    .slice(0, 16)
    .map(({ text }) => text)
}
