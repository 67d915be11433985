import { SQL } from '../../../knowledge/compiled/queries.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'

/** Rates a command of a database client: `\dt` and `.schema` read, `\!` and `.shell` run programs. */
export function rateClientCommand(text: string): RiskFinding {
  const [name = '', ...rest] = text.slice(1).split(/\s+/, 3)
  // `\g |cmd` and `\o |cmd` run a program, `\g file` writes a file.
  const argument = rest.join(' ')
  const plain = !argument.includes('|') && !argument.includes('`')
  if (text.startsWith('\\')) {
    const looks = /^d[a-zA-Z+]*$/.test(name) || SQL.psqlReads.has(name.replace(/\+$/, ''))
    const writes = (name === 'g' || name === 'gx') && argument !== '' && !argument.startsWith('(')
    if (looks && plain && !writes) return reads()
  } else if (SQL.sqliteReads.has(name.toLowerCase()) && plain) return reads()
  return finding('high', 'sql.client', 'uses a client command that can run programs, read scripts or write files')
}

function reads(): RiskFinding {
  return finding('none', 'sql.read', 'only reads the schema or the client’s settings')
}
