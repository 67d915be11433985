import { wordSet } from '../../arguments/word-set.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'

const PSQL_READS = wordSet(
  'l conninfo timing x q pset echo encoding ? h help a t f c connect prompt set unset gset g gx watch errverbose sf sv ' +
    'warn qecho password r p s if elif else endif',
)
const SQLITE_READS = wordSet(
  'tables schema indexes indices databases mode headers header help show quit exit width dbinfo fullschema timer ' +
    'stats echo eqp nullvalue separator prompt explain bail changes lint sha3sum parameter version vfsinfo vfslist ' +
    'limit selftest dump print',
)

/** Rates a command of a database's client: `\dt` and `.schema` look, `\!` and `.shell` run programs. */
export function rateClientCommand(text: string): RiskFinding {
  const [name = '', ...rest] = text.slice(1).split(/\s+/, 3)
  // `\g |cmd` and `\o |cmd` feed a program, `\g file` writes one.
  const argument = rest.join(' ')
  const plain = !argument.includes('|') && !argument.includes('`')
  if (text.startsWith('\\')) {
    const looks = /^d[a-zA-Z+]*$/.test(name) || PSQL_READS.has(name.replace(/\+$/, ''))
    const writes = (name === 'g' || name === 'gx') && argument !== '' && !argument.startsWith('(')
    if (looks && plain && !writes) return reads()
  } else if (SQLITE_READS.has(name.toLowerCase()) && plain) return reads()
  return finding('high', 'sql.client', 'uses a client command that can run programs, read scripts or write files')
}

function reads(): RiskFinding {
  return finding('none', 'sql.read', 'only looks at the database’s structure or the client’s settings')
}
