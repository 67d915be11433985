import { SQL } from '../../../knowledge/compiled/queries.ts'
import { finding, type Reversible, type RiskFinding } from '../../report/finding.ts'
import type { RiskLevel } from '../../report/level.ts'
import type { Reach } from '../../report/report.ts'
import { rateClientCommand } from './client-command.ts'
import { isAlwaysTrue } from './condition.ts'
import type { SqlStatement } from './statements.ts'

const READS = finding('none', 'sql.read', 'only reads data')
const UNPARSED = finding('high', 'sql.unparsed', 'can’t be parsed as SQL', 'unknown')

/** Rates one statement by its verb and what follows. Changes inside it are rated separately. */
export function rateStatement(given: SqlStatement): RiskFinding {
  const statement = behindBrackets(given)
  const [first] = statement
  if (first === undefined) return given.length === 0 ? READS : UNPARSED
  if (first.kind === 'client') return rateClientCommand(first.text)
  if (first.kind !== 'word') return UNPARSED
  const has = (...words: readonly string[]) =>
    statement.some(({ kind, text }) => kind === 'word' && words.includes(text))
  const second = wordAt(statement, 1)
  switch (first.text) {
    case 'drop':
      return rateDrop(statement)
    case 'truncate':
      return found(
        'critical',
        'sql.truncate',
        'empties a table',
        'no',
        'all',
        tableAfter(statement, 'table', 'truncate'),
      )
    case 'delete': {
      const all = picksAll(statement)
      const table = tableAfter(statement, 'from', 'delete')
      return all
        ? found('critical', 'sql.delete-all', 'deletes every row', 'no', 'all', table)
        : found('high', 'sql.delete', 'deletes rows', 'no', 'several', table)
    }
    case 'update': {
      const all = picksAll(statement)
      const table = tableAfter(statement, 'update')
      return all
        ? found('high', 'sql.update-all', 'changes every row', 'no', 'all', table)
        : found('high', 'sql.update', 'changes rows', 'partly', 'several', table)
    }
    case 'insert':
      return found('high', 'sql.insert', 'adds rows', 'partly', 'several', tableAfter(statement, 'into', 'insert'))
    case 'replace':
      return found('high', 'sql.replace', 'adds or overwrites rows', 'no', 'several', tableAfter(statement, 'into'))
    case 'create':
      return rateCreate(statement)
    case 'alter':
      return rateAlter(statement)
    case 'with':
      // A change inside or after a CTE is rated separately; the rest reads.
      return ratePowers(statement) ?? READS
    case 'vacuum':
      if (has('into')) return found('high', 'sql.file', 'writes a copy of the database to a file')
      return has('full')
        ? found('high', 'sql.vacuum', 'rewrites a table and locks it')
        : found('low', 'sql.vacuum', 'reclaims storage')
    case 'copy':
      return rateCopy(statement)
    case 'pragma':
      return ratePragma(statement)
    case 'set':
      return rateSet(statement)
    case 'reset':
      return second === 'master' || second === 'slave' || second === 'replica'
        ? found('critical', 'sql.reset', 'deletes the replication logs', 'no')
        : found('low', 'sql.reset', 'resets a session setting', 'yes')
    case 'exec':
    case 'execute':
      if (SQL.readingProcedures.has(statement[1]?.text ?? '')) return READS
      break
    default:
      break
  }
  const powers = ratePowers(statement)
  if (powers !== null) return powers
  if (first.text === 'select' || first.text === 'table' || first.text === 'values') return rateSelect(statement)
  const known = SQL.statements.get(first.text)
  if (known !== undefined) return found(known.level, `sql.${first.text}`, known.effect)
  if (SQL.reads.has(first.text)) return READS
  return finding('high', 'sql.unknown', 'is not a known SQL statement', 'unknown')
}

function found(
  level: RiskLevel,
  rule: string,
  text: string,
  reversible?: Reversible,
  reach?: Reach,
  target?: string | null,
): RiskFinding {
  const extent = {
    ...(reach === undefined ? {} : { reach }),
    ...(target === undefined || target === null ? {} : { target }),
  }
  return finding(level, rule, text, reversible, Object.keys(extent).length === 0 ? undefined : extent)
}

function rateDrop(statement: SqlStatement): RiskFinding {
  const what = statement.slice(1).find(({ text }) => text !== 'temporary' && text !== 'temp' && text !== 'global')
  const kind = what?.text ?? ''
  const target = tableAfter(statement, kind)
  if (kind === 'table' && (target?.startsWith('#') === true || /^temp(?:orary)?$/.test(statement[1]?.text ?? '')))
    return found('medium', 'sql.drop-temporary', 'drops a temporary table', 'partly', 'one', target)
  if (['table', 'database', 'schema', 'tablespace', 'owned', 'keyspace', 'pluggable'].includes(kind))
    return found('critical', 'sql.drop', `drops a ${kind === 'owned' ? 'role’s tables' : kind}`, 'no', 'all', target)
  return found('high', 'sql.drop-object', 'drops a database object', 'no', 'one', target)
}

function rateCreate(statement: SqlStatement): RiskFinding {
  const words = statement.slice(1, 8).map(({ text }) => text)
  const target = tableAfter(statement, 'exists', 'table', 'view', 'index', 'database', 'schema')
  if (['user', 'role', 'login'].some((word) => words.slice(0, 4).includes(word)))
    return found('high', 'sql.grant', 'creates a database account')
  if (
    ['function', 'procedure', 'proc', 'trigger', 'event', 'extension', 'language', 'server', 'rule'].some((word) =>
      words.includes(word),
    )
  )
    return found('high', 'sql.code', 'adds code or a link to the database')
  if (words[0] === 'temp' || words[0] === 'temporary' || target?.startsWith('#') === true)
    return found('low', 'sql.create-temporary', 'creates something for this session only', 'yes', 'one', target)
  return found('high', 'sql.create', 'creates a database object', 'partly', 'one', target)
}

function rateAlter(statement: SqlStatement): RiskFinding {
  const kind = wordAt(statement, 1)
  if (['role', 'user', 'login', 'system', 'default', 'server', 'authorization', 'policy', 'group'].includes(kind))
    return found('high', 'sql.grant', 'changes accounts, permissions or server settings')
  const target = tableAfter(statement, 'exists', 'table', 'database', 'schema', 'view')
  const drops = statement.some(({ kind, text }) => kind === 'word' && (text === 'drop' || text === 'truncate'))
  if (drops) return found('high', 'sql.drop-column', 'drops part of a table with its data', 'no', 'all', target)
  return found('high', 'sql.alter', 'changes the database schema', 'partly', 'one', target)
}

function rateCopy(statement: SqlStatement): RiskFinding {
  const target = tableAfter(statement, 'copy')
  const words = statement.filter(({ kind }) => kind === 'word').map(({ text }) => text)
  if (words.includes('program')) return found('high', 'sql.program', 'runs a program on the database server', 'unknown')
  const to = words.lastIndexOf('to')
  if (to > words.lastIndexOf('from'))
    return words[to + 1] === 'stdout' ? READS : found('high', 'sql.file', 'writes a file on the database server')
  return found('high', 'sql.insert', 'loads rows into a table', 'partly', 'many', target)
}

const READING_PRAGMAS =
  /^(?:table_x?info|table_list|index_x?info|index_list|foreign_key_(?:list|check)|integrity_check|quick_check|database_list|collation_list|function_list|module_list|pragma_list|compile_options)$/

function ratePragma(statement: SqlStatement): RiskFinding {
  const words = statement.filter(({ kind }) => kind === 'word' || kind === 'name').map(({ text }) => text)
  const dotted = statement[2]?.text === '.'
  const name = words[dotted ? 2 : 1] ?? ''
  const sets = statement.some(({ text }) => text === '=' || text === '(')
  if (!sets || READING_PRAGMAS.test(name)) return READS
  if (name === 'writable_schema' || name === 'trusted_schema' || name === 'key' || name === 'rekey')
    return found('high', 'sql.setting', 'makes internal tables or keys writable')
  return found('medium', 'sql.setting', 'changes a database setting')
}

function rateSet(statement: SqlStatement): RiskFinding {
  const words = statement.slice(1, 6).map(({ text }) => text)
  const strong = words.some((word) =>
    /^(?:@@)?(?:global|persist|persist_only|password|role|authorization|session_replication_role|row_security)/.test(
      word,
    ),
  )
  return strong ? found('high', 'sql.setting', 'changes a server setting or the current user') : READS
}

function rateSelect(statement: SqlStatement): RiskFinding {
  const into = outerWord(statement, 'into')
  if (into !== -1) {
    const next = statement[into + 1]
    if (next?.text === 'outfile' || next?.text === 'dumpfile')
      return found('high', 'sql.file', 'writes a file on the database server')
    if (next?.kind === 'name' && next.text.startsWith('#'))
      return found('low', 'sql.create-temporary', 'selects into a table of this session only', 'yes')
    const variable = next === undefined || next.kind === 'mark' || next.text.startsWith('@')
    if (!variable)
      return found('high', 'sql.create', 'selects into a new table', 'partly', 'one', nameFrom(statement, into + 1))
  }
  if (
    statement.some(({ kind, text }) => kind !== 'string' && SQL.passwordTables.has(text)) ||
    namesMysqlUsers(statement)
  )
    return found('high', 'sql.credentials', 'reads the passwords of database accounts', 'no')
  if (statement.some(({ kind, text }) => kind !== 'string' && SQL.secretColumns.has(text)))
    return found('medium', 'sql.secrets', 'reads columns with secrets', 'no', 'several', tableAfter(statement, 'from'))
  const lock = outerWord(statement, 'for')
  if (lock !== -1 && /^(?:update|share|no)$/.test(statement[lock + 1]?.text ?? ''))
    return found('low', 'sql.lock', 'locks the rows it reads', 'yes')
  return READS
}

function namesMysqlUsers(statement: SqlStatement): boolean {
  return statement.some(
    ({ text }, at) => text === 'mysql' && statement[at + 1]?.text === '.' && statement[at + 2]?.text === 'user',
  )
}

/** Rates functions that do more than compute, wherever they are called. */
function ratePowers(statement: SqlStatement): RiskFinding | null {
  for (const { kind, text } of statement) {
    if (kind !== 'word' && kind !== 'name') continue
    if (SQL.powerfulFunctions.has(text) || text.startsWith('xp_'))
      return found('high', 'sql.powerful', `uses \`${text.slice(0, 40)}\`, which reaches outside the database`, 'no')
    if (text === 'outfile' || text === 'dumpfile')
      return found('high', 'sql.file', 'writes a file on the database server')
  }
  return null
}

/** Whether a DELETE or UPDATE affects every row: no WHERE of its own, or one that is always true. */
function picksAll(statement: SqlStatement): boolean {
  const at = outerWord(statement, 'where')
  if (at === -1) return true
  if (statement[at + 1]?.text === 'current') return false
  let depth = 0
  let end = at + 1
  for (; end < statement.length; end++) {
    const token = statement[end]
    if (token?.kind === 'mark') depth += token.text === '(' ? 1 : token.text === ')' ? -1 : 0
    else if (depth === 0 && token?.kind === 'word' && ENDS.has(token.text)) break
  }
  return isAlwaysTrue(statement.slice(at + 1, end))
}

const ENDS: ReadonlySet<string> = new Set(['returning', 'limit', 'order', 'group', 'option', 'output'])

function outerWord(statement: SqlStatement, word: string): number {
  let depth = 0
  for (const [at, { kind, text }] of statement.entries()) {
    if (kind === 'mark' && text === '(') depth++
    else if (kind === 'mark' && text === ')') depth--
    else if (depth === 0 && kind === 'word' && text === word) return at
  }
  return -1
}

const FILLERS: ReadonlySet<string> = new Set(
  'if exists not only table from into or ignore concurrently low_priority quick delayed temporary temp unique top'.split(
    ' ',
  ),
)

/** The name after the first of these words that appears. */
function tableAfter(statement: SqlStatement, ...words: readonly string[]): string | null {
  for (const word of words) {
    const at = statement.findIndex(({ kind, text }) => kind === 'word' && text === word)
    if (at === -1) continue
    const name = nameFrom(statement, at + 1)
    if (name !== null) return name
  }
  return null
}

function nameFrom(statement: SqlStatement, from: number): string | null {
  let at = from
  while (statement[at]?.kind === 'word' && FILLERS.has(statement[at]?.text ?? '')) at++
  let name = ''
  for (let length = 0; length < 7; length++, at++) {
    const token = statement[at]
    if (token === undefined) break
    const isName = token.kind === 'word' || token.kind === 'name'
    if (name === '' || name.endsWith('.')) {
      if (!isName) break
      name += token.raw
    } else if (token.text === '.') name += '.'
    else break
  }
  return name === '' ? null : name.slice(0, 64)
}

function wordAt(statement: SqlStatement, at: number): string {
  const token = statement[at]
  return token?.kind === 'word' ? token.text : ''
}

function behindBrackets(statement: SqlStatement): SqlStatement {
  let at = 0
  while (statement[at]?.kind === 'mark' && statement[at]?.text === '(') at++
  return at === 0 ? statement : statement.slice(at)
}
