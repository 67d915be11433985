import type { Json, JsonObject } from '../../call/json/json.ts'
import { nameWords } from '../../call/names/words.ts'
import { STORES } from '../../knowledge/compiled/queries.ts'
import { ARGUMENT_NAMES } from '../../knowledge/compiled/tools.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import type { RatedCall } from '../report/rating-input.ts'

const MAX_TEXT = 64 * 1024
const READ = finding('none', 'store.read', 'only reads data')
const EVERYTHING = { reach: 'all' } as const

/** Rates a query of MongoDB, Elasticsearch or Redis; null if the call has none. */
export function rateStoreQuery({ tool, descriptor }: RatedCall, objects: readonly JsonObject[]): RiskFinding | null {
  const words = [...nameWords(tool.name), ...nameWords(tool.server ?? '')]
  if (objects.some((object) => Object.hasOwn(object, '$out') || Object.hasOwn(object, '$merge')))
    return finding('high', 'store.out', 'writes its results into a collection', 'partly')
  if (descriptor.command?.startsWith('redis-cli ') === true) return rateRedis(descriptor.command)
  const isMongo = words.some((word) => /^mongo(?:db|sh)?$|^documentdb$|^atlas$/.test(word))
  for (const object of objects.slice(0, 64)) {
    for (const [key, value] of Object.entries(object)) {
      if (!ARGUMENT_NAMES.storeQueries.has(key.toLowerCase())) continue
      if (typeof value === 'string') {
        const found =
          rateMongoText(value) ?? (words.some((word) => STORES.elasticsearch.has(word)) ? ratePiped(value) : null)
        if (found !== null) return found
      } else if (isMongo && key.toLowerCase() === 'command') {
        const found = rateMongoCommand(value)
        if (found !== null) return found
      }
    }
  }
  return null
}

/** `FROM logs | WHERE …`: the piped query language only reads. */
function ratePiped(text: string): RiskFinding | null {
  return /^\s*(?:from|row|show|ts)\s/i.test(text.slice(0, 64)) ? READ : null
}

/** Code of the MongoDB shell: `db.users.deleteMany({})`. */
function rateMongoText(text: string): RiskFinding | null {
  if (!/\bdb\s*\./.test(text.slice(0, 256)) || text.length > MAX_TEXT) return null
  let worst = READ
  for (const [, method = '', filter = ''] of text.matchAll(/\.\s*(\w{2,40})\s*\(\s*(\{\s*\}|\))?/g)) {
    const name = method.toLowerCase()
    if (STORES.mongodbDrops.has(name))
      return finding('critical', 'store.drop', 'drops a collection or a database', 'no', EVERYTHING)
    const all = filter !== ''
    if (STORES.mongodbRemovals.has(name)) {
      if (all && name !== 'deleteone')
        return finding('critical', 'store.delete-all', 'deletes every document of a collection', 'no', EVERYTHING)
      worst = finding('high', 'store.delete', 'deletes documents', 'no')
    } else if (STORES.mongodbChanges.has(name) && worst.level !== 'high') {
      const level = all || /many|user|^update$/.test(name) ? 'high' : 'medium'
      worst = finding(level, 'store.change', 'changes documents', 'partly')
    }
  }
  return worst
}

/** A command in the form of the driver: `{ drop: 'users' }`. */
function rateMongoCommand(value: Json): RiskFinding | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null
  const [verb = ''] = Object.keys(value)
  const name = verb.toLowerCase()
  if (STORES.mongodbDrops.has(name))
    return finding('critical', 'store.drop', 'drops a collection or a database', 'no', EVERYTHING)
  if (name === 'delete') return finding('high', 'store.delete', 'deletes documents', 'no')
  if (/^(?:shutdown|fsync|repl|shard|grant|revoke|createuser|updateuser|dropuser)/.test(name))
    return finding('high', 'store.admin', 'changes the database server or its users')
  if (STORES.mongodbChanges.has(name)) return finding('high', 'store.change', 'changes documents', 'partly')
  return null
}

function rateRedis(line: string): RiskFinding | null {
  const [, verb = ''] = /^redis-cli\s+(?:-\S+\s+)*(\w+)/.exec(line) ?? []
  if (/^flush(?:all|db)$/i.test(verb))
    return finding('critical', 'store.flush', 'empties the whole store', 'no', EVERYTHING)
  return /^(?:del|unlink|hdel|zremrangebyrank|ltrim|xtrim|swapdb|shutdown|script|config|debug|replicaof|slaveof|acl)$/i.test(
    verb,
  ) && !/\b(?:config|acl|script)\s+(?:get|list|whoami|cat|exists|help)\b/i.test(line)
    ? finding('high', 'store.delete', 'deletes keys or changes the store', 'no')
    : null
}

const CYPHER_START = /^\s*(?:optional\s+)?(?:match|merge|create|unwind|call|with|foreach|load|drop)\b/i

/** Rates a Cypher query of a graph database; null if the text is not one. */
export function rateCypher(text: string): RiskFinding | null {
  if (!CYPHER_START.test(text.slice(0, 64))) return null
  if (text.length > MAX_TEXT) return finding('high', 'cypher.long', 'the query is too long to analyze', 'unknown')
  const bare = text.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\/\/[^\n]*/g, ' ').toLowerCase()
  const chosen = /\bwhere\b|\{/.test(bare)
  if (/\bdelete\b/.test(bare)) {
    return chosen
      ? finding('high', 'cypher.delete', 'deletes nodes or relationships', 'no', { reach: 'several' })
      : finding('critical', 'cypher.delete-all', 'deletes every node or relationship', 'no', { reach: 'all' })
  }
  if (/\bdrop\b|\bload\s+csv\b|\bcall\s+(?:apoc|dbms)\b/.test(bare))
    return finding('high', 'cypher.powerful', 'drops objects, loads files or runs procedures')
  if (/\b(?:set|create|merge|remove)\b/.test(bare))
    return finding('high', 'cypher.change', 'changes nodes or relationships')
  return finding('none', 'cypher.read', 'only reads data')
}
