import type { CommandPart } from '../../command/decomposition.ts'
import { type Assess, anyFlag } from '../facts.ts'
import { finding, type RiskFinding } from '../finding.ts'
import { type RiskLevel, riskRank } from '../level.ts'
import { plainWords } from '../spelled-path.ts'
import { rateSql } from '../sql.ts'
import { wordSet } from '../word-set.ts'

const CODE = new Set(['-c', '--command', '-e', '--execute', '-cmd', '--eval', '-Q', '-q'])

/** SQL given as an option's value or, for SQLite, as the second plain word. */
function inlineSql(part: CommandPart, program: string): (string | null)[] {
  const found: (string | null)[] = []
  part.args.forEach((word, at) => {
    const before = part.args[at - 1]?.value ?? ''
    if (CODE.has(before)) found.push(word.value)
    const joined = /^(?:--(?:command|execute|eval)=|-[ec])(.+)$/s.exec(word.value ?? '')
    if (joined?.[1] !== undefined) found.push(joined[1])
  })
  if (program === 'sqlite3' || program === 'duckdb')
    found.push(
      ...plainWords(part)
        .slice(1)
        .map((word) => word.value),
    )
  if (part.stdin.kind === 'literal') found.push(part.stdin.text)
  return found
}

/** `psql`, `mysql`, `sqlite3` and their like: rated by the SQL they are given. */
export const assessSqlClient: Assess = ({ part, program }) => {
  const found: RiskFinding[] = inlineSql(part, program).map((text) =>
    text === null ? finding('high', 'database.unknown', 'runs SQL that is not known', 'unknown') : rateSql(text),
  )
  const fed = part.stdin.kind === 'piped' || part.redirections.some((one) => one.operator === '<')
  if (anyFlag(part, '-f', '--file') || (fed && found.length === 0)) {
    found.push(finding('high', 'database.script', 'runs SQL from a file or a pipe', 'unknown'))
  }
  if (found.length === 0) {
    const lists = anyFlag(part, '-l', '--list')
    found.push(
      lists ? finding('none', 'database.list', 'only lists') : finding('medium', 'database.session', 'opens a session'),
    )
  }
  const worst = found.reduce((one, other) => (riskRank(other.level) > riskRank(one.level) ? other : one))
  return { ...worst, text: `${program}: ${worst.text}` }
}

const REDIS_READS = wordSet(
  'get mget info keys scan ttl exists type ping dbsize hgetall hget lrange llen smembers scard zrange strlen monitor ' +
    'memory lastsave time',
)
const REDIS_POWERS = wordSet('flushdb config shutdown debug eval evalsha script slaveof replicaof migrate module acl')

function redisLevel(verb: string | null): RiskLevel {
  if (verb === null || REDIS_POWERS.has(verb.toLowerCase())) return 'high'
  if (verb.toLowerCase() === 'flushall') return 'critical'
  return REDIS_READS.has(verb.toLowerCase()) ? 'none' : 'medium'
}

export const assessRedis: Assess = ({ part }) => {
  const words = plainWords(part, new Set(['-h', '-p', '-a', '-n', '-u', '--user', '--pass', '-s', '-r', '-i']))
  const [verb] = words
  if (verb === undefined) return finding('medium', 'database.session', 'redis-cli opens a session')
  const level = redisLevel(verb.value)
  return finding(
    level,
    `database.${level}`,
    level === 'none' ? 'redis-cli only reads' : 'redis-cli changes data or settings',
  )
}

export const assessMongo: Assess = ({ part }) => {
  const code = part.args.find((_, at) => CODE.has(part.args[at - 1]?.value ?? ''))
  if (code === undefined) return finding('medium', 'database.session', 'opens a database session')
  const text = code.value ?? ''
  if (code.value === null) return finding('high', 'database.unknown', 'runs database code that is not known', 'unknown')
  if (/drop|deleteMany|remove\(|renameCollection/i.test(text))
    return finding('critical', 'database.drop', 'drops or empties a collection')
  if (/insert|update|replace|delete|create|runCommand|adminCommand|bulkWrite/i.test(text))
    return finding('high', 'database.change', 'changes the database')
  return finding('none', 'database.read', 'only reads data')
}
