import { codeEffects } from '../../../command/code/find-effects.ts'
import { rowList } from '../../../knowledge/programs.ts'
import { arityOfRow, hasOption, lastValue, readArgs } from '../../arguments/argument-parser.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'
import type { RiskLevel } from '../../report/level.ts'
import type { Assess } from '../assessor/assessor.ts'
import { databasePlace } from '../assessor/host-location.ts'

/** `redis-cli`, `valkey-cli`. */
export const assessRedis: Assess = ({ part, program, row }) => {
  const reading = readArgs(part, arityOfRow(row))
  const [first, second] = reading.words
  const db = lastValue(reading, new Set(['-n', '--db']))
  const where = typeof db === 'string' && /^\d{1,3}$/.test(db) ? { target: `database ${db}` } : {}
  if (hasOption(reading, new Set(['--eval', '--pipe', '--functions-rdb'])))
    return finding('high', 'database.powers', `${program} runs a script or a stream of commands`, 'unknown', where)
  if (hasOption(reading, new Set(['--cluster'])))
    return /^(?:check|info|help|call)$/.test(lastValue(reading, new Set(['--cluster'])) ?? '')
      ? finding('none', 'database.read', `${program} only reads`)
      : finding('high', 'database.cluster', `${program} changes a cluster`, 'partly')
  if (first === undefined) {
    if (hasOption(reading, rowList('redis-cli', 'reading_options')))
      return finding('none', 'database.read', `${program} only reads`)
    if (hasOption(reading, new Set(['--rdb'])))
      return finding('low', 'database.dump', `${program} writes a copy of the data`)
    const fed = part.stdin.kind !== 'none' || part.redirections.some(({ operator }) => operator === '<')
    return fed
      ? finding('high', 'database.script', `${program} runs commands from a file or a pipe`, 'unknown')
      : finding('low', 'database.session', `${program} opens a session`, 'yes')
  }
  if (first.value === null) return finding('high', 'database.unknown', `the effect of ${program} is unknown`, 'unknown')
  const verb = first.value.toLowerCase()
  const sub = second?.value?.toLowerCase() ?? ''
  if (rowList('redis-cli', 'ending_commands').has(verb))
    return finding('critical', 'database.flush', `${program} ${verb} stops or empties the whole server`, 'no', {
      reach: 'all',
      ...where,
    })
  if (verb === 'flushdb')
    return finding('high', 'database.flush', `${program} flushdb empties a database`, 'no', { reach: 'all', ...where })
  if (
    /^(?:config|client|acl|cluster|module|script|function)$/.test(verb) &&
    /^(?:get|list|info|help|whoami|users|cat|nodes|slots|shards|exists|getname|id|log|stats|dump)$/.test(sub)
  )
    return finding('none', 'database.read', `${program} only reads`)
  if (verb === 'config' && sub !== '')
    return finding(
      sub === 'set' || sub === 'rewrite' ? 'critical' : 'high',
      'database.settings',
      `${program} changes the server’s settings`,
      'partly',
    )
  if (verb === 'cluster') return finding('high', 'database.cluster', `${program} changes a cluster`, 'partly')
  if (rowList('redis-cli', 'server_commands').has(verb))
    return finding('high', 'database.powers', `${program} runs code or changes the server`, 'unknown')
  if (rowList('redis-cli', 'read_commands').has(verb)) return finding('none', 'database.read', `${program} only reads`)
  // The number of keys that xargs passes is not known.
  const many = part.via.some((label) => /^(?:xargs|parallel)/.test(label)) && /^(?:del|unlink)$/.test(verb)
  return finding(
    many || databasePlace(part, { ...reading, words: [] }) === 'remote' ? 'high' : 'medium',
    'database.change',
    `${program} changes data`,
    'partly',
    {
      reach: reading.words.length > 2 && /^(?:del|unlink)$/.test(verb) ? 'several' : 'one',
    },
  )
}

const EMPTY_FILTER = /\.(?:deleteMany|remove|findAndRemove)\s*\(\s*(?:\{\s*\}\s*(?:,|\))|\))/
const DROPS = /\.(?:drop|dropDatabase|dropAllUsers|dropAllRoles)\s*\(|\bdropDatabase\b|\bdrop\s*:|\bdropDatabase\s*:/
const DELETES =
  /\.(?:deleteMany|deleteOne|remove|findOneAndDelete|findAndRemove|dropIndex|dropIndexes|dropUser|dropRole|renameCollection|shutdownServer|killOp|compact|removeShard|bulkWrite)\s*\(/
const RIGHTS =
  /\.(?:createUser|updateUser|grantRolesToUser|revokeRolesFromUser|changeUserPassword|createRole|auth)\s*\(|\b(?:rs|sh)\.(?!status|conf|printReplicationInfo|printSecondaryReplicationInfo|isMaster|hello|help|getBalancerState)\w+\s*\(/
const CHANGES =
  /\.(?:insert\w*|update\w*|replaceOne|findOneAnd(?:Update|Replace)|findAndModify|save|create(?:Collection|Index|Indexes|View)|ensureIndex|setProfilingLevel|convertToCapped|fsyncLock|adminCommand|runCommand)\s*\(|\$(?:out|merge)\b/
const REACHES =
  /\b(?:require|load|process|fs|child_process|eval|Function|import|cat|run|passwordPrompt|writeFile)\s*[.(]/
const LOOKING_COMMANDS =
  /(?:runCommand|adminCommand)\s*\(\s*(?:["'](?:ping|serverStatus|buildInfo|hello|isMaster|listDatabases|dbStats|collStats|hostInfo|replSetGetStatus|currentOp|connectionStatus|listCollections)["']|\{\s*["']?(?:ping|serverStatus|buildInfo|hello|isMaster|listDatabases|dbStats|collStats|hostInfo|replSetGetStatus|currentOp|connectionStatus|listCollections|getParameter|explain)["']?\s*:)/

/** Code for `mongosh`, rated by the calls in it. */
function rateMongo(text: string, remote: boolean): RiskFinding {
  if (text.length > 64 * 1024) return finding('high', 'database.long', 'the code is too long to analyze', 'unknown')
  if (DROPS.test(text) || EMPTY_FILTER.test(text))
    return finding('critical', 'database.drop', 'drops or empties a collection or a database', 'no', { reach: 'all' })
  if (DELETES.test(text))
    return finding('high', 'database.delete', 'deletes from a collection or stops an operation', 'no', {
      reach: 'several',
    })
  if (RIGHTS.test(text))
    return finding('high', 'database.rights', 'changes accounts or the configuration of servers', 'partly')
  if (REACHES.test(text) || codeEffects(text, 'node').some(({ kind }) => kind === 'eval'))
    return finding('high', 'database.code', 'runs code that reaches beyond the database', 'unknown')
  if (CHANGES.test(text) && !LOOKING_COMMANDS.test(text)) {
    const level: RiskLevel = remote ? 'high' : 'medium'
    return finding(level, 'database.change', 'changes data', 'partly', {
      reach: /Many|insert\s*\(|bulk/.test(text) ? 'many' : 'one',
    })
  }
  return finding('none', 'database.read', 'only reads data')
}

/** `mongosh`, `mongo`. */
export const assessMongo: Assess = ({ part, program, row }) => {
  const reading = readArgs(part, arityOfRow(row))
  const remote = databasePlace(part, reading) === 'remote'
  const said = (found: RiskFinding): RiskFinding => ({ ...found, text: `${program}: ${found.text}` })
  const code = lastValue(reading, new Set(['--eval']))
  if (code === null) return said(finding('high', 'database.unknown', 'runs unknown code', 'unknown'))
  if (code !== undefined) return said(rateMongo(code, remote))
  if (part.stdin.kind === 'literal') return said(rateMongo(part.stdin.text, remote))
  const fed = part.stdin.kind === 'piped' || part.redirections.some(({ operator }) => operator === '<')
  const script =
    reading.words.some(({ value }) => /\.(?:js|mongodb|mjs)$/.test(value ?? '')) ||
    hasOption(reading, new Set(['--file', '-f']))
  if (fed || script) return said(finding(remote ? 'high' : 'medium', 'database.script', 'runs a script', 'unknown'))
  return said(finding(remote ? 'medium' : 'low', 'database.session', 'opens a session', 'yes'))
}
