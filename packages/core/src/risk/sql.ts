import { finding, type RiskFinding } from './finding.ts'
import { riskRank } from './level.ts'

/** Comments and quoted text taken out in one pass, so that words in data are not read as commands. */
function bare(sql: string): string {
  let out = ''
  for (let at = 0; at < sql.length; at++) {
    const two = sql.slice(at, at + 2)
    const char = sql[at] ?? ''
    if (two === '--' || char === '#') {
      const end = sql.indexOf('\n', at)
      at = end === -1 ? sql.length : end
      out += ' '
    } else if (two === '/*') {
      // MySQL runs what stands in `/*! … */`.
      const runs = sql[at + 2] === '!'
      const end = sql.indexOf('*/', at + 2)
      if (runs) out += ' executable_comment '
      at = end === -1 ? sql.length : end + 1
      out += ' '
    } else if (char === "'" || char === '"' || char === '`') {
      const end = sql.indexOf(char, at + 1)
      at = end === -1 ? sql.length : end
      out += char === "'" ? "''" : ' name '
    } else out += char
  }
  return out
}

const READS = new Set(
  (
    'select show describe desc explain values table use set begin start commit rollback end savepoint ' +
    'release with pragma analyze help'
  ).split(' '),
)
const DANGEROUS =
  /\b(?:into\s+(?:out|dump)file|pg_read_file|pg_ls_dir|lo_import|lo_export|load_file|xp_cmdshell|dblink|pg_terminate_backend|program|executable_comment|load_extension|sys_exec)\b/
const ALWAYS_TRUE = /\bwhere\s+(?:true|1|not\s+false|(\d+|''|\w+)\s*=\s*\1)\s*(?:$|[;)]|\bor\b|\blimit\b|\breturning\b)/

/** Rates SQL text by its worst statement. */
export function rateSql(sql: string): RiskFinding {
  let worst = finding('none', 'sql.read', 'only reads data')
  if (sql.length > 64 * 1024) return finding('high', 'sql.long', 'the SQL is too long to be read')
  for (const statement of bare(sql).toLowerCase().split(';')) {
    const found = rateStatement(statement.trim())
    if (riskRank(found.level) > riskRank(worst.level)) worst = found
  }
  return worst
}

function rateStatement(text: string): RiskFinding {
  if (text === '') return finding('none', 'sql.read', 'only reads data')
  if (/^[.\\]/.test(text)) return rateClientCommand(text)
  const verb = /^\(*\s*([a-z_]+)/.exec(text)?.[1] ?? ''
  if (verb === 'drop' || verb === 'truncate')
    return finding('critical', 'sql.drop', 'drops or empties a table, schema or database')
  if (verb === 'delete') {
    const all = !/\bwhere\b/.test(text) || ALWAYS_TRUE.test(text)
    return all
      ? finding('critical', 'sql.delete-all', 'deletes every row')
      : finding('high', 'sql.delete', 'deletes rows', 'no')
  }
  if (verb === 'update') {
    const all = !/\bwhere\b/.test(text) || ALWAYS_TRUE.test(text)
    return finding('high', all ? 'sql.update-all' : 'sql.update', all ? 'changes every row' : 'changes rows', 'no')
  }
  if (DANGEROUS.test(text))
    return finding('high', 'sql.powerful', 'reaches files, programs or other servers from the database')
  if (!READS.has(verb)) return finding('high', 'sql.change', 'changes the database')
  if (verb === 'with' && /\b(?:insert|update|delete|merge)\b/.test(text))
    return finding('high', 'sql.change', 'changes the database')
  if (verb === 'select' && /\binto\b/.test(text)) return finding('high', 'sql.change', 'selects into a new table')
  if (verb === 'explain' && /\banalyze\b/.test(text) && /\b(?:insert|update|delete)\b/.test(text))
    return finding('high', 'sql.change', 'explains by running the change')
  if (verb === 'pragma' && text.includes('='))
    return finding('medium', 'sql.setting', 'changes a setting of the database')
  if (verb === 'set' && /\bpassword\b|\bglobal\b/.test(text))
    return finding('high', 'sql.setting', 'changes a setting of the server')
  return finding('none', 'sql.read', 'only reads data')
}

function rateClientCommand(text: string): RiskFinding {
  if (
    /^(?:\\(?:d[a-z+]*|l|dt|du|dn|conninfo|timing|x|q|pset|echo|encoding|\?|h)|\.(?:tables|schema|indexes|databases|mode|headers|help|show|quit|exit|width|dbinfo|fullschema|timer|stats))(?:\s|$)/.test(
      text,
    )
  ) {
    return finding('none', 'sql.read', 'only reads the database’s structure')
  }
  return finding('high', 'sql.client', 'uses a client command that can run programs or write files')
}
