import type { Json, JsonObject } from '../../call/json/json.ts'
import { nameWords } from '../../call/names/words.ts'
import { wordSet } from '../arguments/word-set.ts'

const PRODUCTION = wordSet('prod production prd live')
const PLACE_WORDS = wordSet(
  'env environment stage target cluster context namespace database db dbname host hostname project profile workspace ' +
    'deployment server instance site stack tier account subscription keyspace schema connection branch app service url ' +
    'resource group name bucket table',
)
/** Under these names `live` means production; elsewhere it is an adjective. */
const STAGES = wordSet('env environment stage tier mode target')

/** Whether the call says that it goes to production. A word for a sandbox lowers nothing: nobody checks it. */
export function isProduction(toolName: string, objects: readonly JsonObject[]): boolean {
  if (nameWords(toolName).some((word) => PRODUCTION.has(word) && word !== 'live')) return true
  return eachEntry(objects, (key, value) => {
    if (value === true) return nameWords(key).some((word) => word === 'production' || word === 'prod')
    if (typeof value !== 'string' || value.length > 256) return false
    const names = nameWords(key)
    if (!names.some((word) => PLACE_WORDS.has(word) || STAGES.has(word))) return false
    const words = nameWords(value)
    if (words.includes('non') || words.includes('nonprod') || words.includes('pre') || words.includes('preprod'))
      return false
    return words.some((word) => (word === 'live' ? names.some((name) => STAGES.has(name)) : PRODUCTION.has(word)))
  })
}

const SANDBOX = wordSet('sandbox dev development local localhost test testing ci ephemeral')
const STAGE_NAMES = wordSet('env environment stage tier target_env deployment_environment')

/**
 * Whether the call says that it goes to an environment where nobody works but those who build. It is where the call is
 * sent, not a claim about it; still only what runs there is less felt, and nothing that is removed, sent or paid.
 */
export function isSandbox(objects: readonly JsonObject[]): boolean {
  return eachEntry(objects.slice(0, 4), (key, value) => {
    if (typeof value !== 'string' || value.length > 64) return false
    const words = nameWords(value)
    return nameWords(key).some((word) => STAGE_NAMES.has(word)) && words.some((word) => SANDBOX.has(word))
      ? !words.some((word) => PRODUCTION.has(word))
      : false
  })
}

const DRY = wordSet(
  'dryrun preview previewonly validateonly checkonly planonly simulate simulation noop whatif testrun validate isdryrun ' +
    'dry showonly justshow',
)
/** Saying no to one of these asks for the real thing, whatever another spelling of it says. */
const REAL_IF_NOT = wordSet('dryrun isdryrun dry noop whatif simulate simulation testrun')
const COMMITS = wordSet('apply execute commit confirm confirmed force yes autoapprove')
const NO = wordSet('false no off 0 none never disabled')
/** Where a mode is chosen, these only show. */
const MODES = wordSet('mode action phase runmode executionmode operation step')
const SHOWING = wordSet('plan preview diff dryrun check validate simulate whatif show noop')
/** Dry-run flags may stand among a tool's options. */
const OPTIONS = wordSet('options flags config params settings opts parameters')

/**
 * Whether a flag asks the tool to only show what it would do, and none asks for the opposite. The tool may not know the
 * flag, so nobody may rely on it: see `rateTool`.
 */
export function asksForDryRun(objects: readonly JsonObject[]): boolean {
  const flag = (value: Json): boolean =>
    value === true || value === 'true' || value === 1 || value === 'client' || value === 'server' || value === 'All'
  let dry = false
  let commits = false
  const [args = {}] = objects
  const options = Object.entries(args).flatMap(([key, value]) =>
    OPTIONS.has(key.toLowerCase()) && value !== null && typeof value === 'object' && !Array.isArray(value)
      ? [value as JsonObject]
      : [],
  )
  eachEntry([args, ...options], (key, value) => {
    const name = key.toLowerCase().replace(/[^a-z]/g, '')
    if (DRY.has(name) && flag(value)) dry = true
    if (MODES.has(name) && typeof value === 'string' && SHOWING.has(value.toLowerCase().replace(/[^a-z]/g, '')))
      dry = true
    if (COMMITS.has(name)) {
      if (flag(value)) commits = true
      if (value === false && (name === 'apply' || name === 'execute' || name === 'commit')) dry = true
    }
    return false
  })
  const contradicts = eachEntry(objects, (key, value) => {
    if (!REAL_IF_NOT.has(key.toLowerCase().replace(/[^a-z]/g, ''))) return false
    return (
      value === false || value === 0 || value === null || (typeof value === 'string' && NO.has(value.toLowerCase()))
    )
  })
  return dry && !commits && !contradicts
}

const REMOVALS = wordSet('delete remove purge destroy drop wipe erase truncate prune permanent permanently hard')
const WHOLE = wordSet('all everything deleteall removeall purgeall cascade skipfinalsnapshot')
const CHOICES = wordSet('filter where query condition conditions selector criteria match ids pattern')

const SWITCHES = wordSet('flags args options extraargs arguments extraflags parameters')

/** What flags and filters add to an act. */
export interface Force {
  /** `{ delete: true }`, `{ permanent: true }`. */
  readonly destroys: boolean
  /** `{ force: true }`, `{ mode: 'hard' }`. */
  readonly forces: boolean
  /** `{ all: true }`, `{ filter: {} }`, `{ ids: '*' }`. */
  readonly everything: boolean
}

export function forceOf(objects: readonly JsonObject[]): Force {
  let destroys = false
  let forces = false
  let everything = false
  eachEntry(objects, (key, value) => {
    const name = key.toLowerCase().replace(/[^a-z]/g, '')
    if (value === true) {
      if (REMOVALS.has(name)) destroys = true
      if (name.startsWith('force') || name === 'hard' || name === 'overwriteall') forces = true
      if (WHOLE.has(name) || /(?:all|everything)$/.test(name)) everything = true
    }
    if (name === 'mode' && value === 'hard') forces = true
    if (SWITCHES.has(name)) {
      for (const text of typeof value === 'string'
        ? value.slice(0, 512).split(/\s+/)
        : Array.isArray(value)
          ? value
          : []) {
        if (typeof text !== 'string') continue
        if (/^(?:-f|--(?:force\S*|hard|no-verify|mirror))$/.test(text)) forces = true
        if (/^--(?:delete|purge|prune|permanent)$/.test(text)) destroys = true
      }
    }
    if (CHOICES.has(name) && picksEverything(value)) everything = true
    return false
  })
  return { destroys, forces, everything }
}

function picksEverything(value: Json): boolean {
  if (typeof value === 'string') return /^\s*(?:\*|%|\.\*|all|1\s*=\s*1|true|\{\s*\})\s*$/i.test(value.slice(0, 64))
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false
  const keys = Object.keys(value)
  return keys.length === 0 || (keys.length === 1 && keys[0] === 'match_all')
}

function eachEntry(objects: readonly JsonObject[], test: (key: string, value: Json) => boolean): boolean {
  let found = false
  for (const object of objects.slice(0, 1000)) {
    for (const [key, value] of Object.entries(object)) if (test(key, value)) found = true
  }
  return found
}
