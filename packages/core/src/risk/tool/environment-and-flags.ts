import type { Json, JsonObject } from '../../call/json/json.ts'
import { letterKey, nameWords } from '../../call/names/words.ts'
import { ENVIRONMENTS } from '../../knowledge/compiled/tools.ts'

/** Whether the call names production. Words for a sandbox lower nothing here: nobody checks them. */
export function namesProduction(toolName: string, objects: readonly JsonObject[]): boolean {
  if (nameWords(toolName).some((word) => ENVIRONMENTS.production.has(word) && word !== 'live')) return true
  return eachEntry(objects, (key, value) => {
    if (value === true) return nameWords(key).some((word) => word === 'production' || word === 'prod')
    if (typeof value !== 'string' || value.length > 256) return false
    const names = nameWords(key)
    if (!names.some((word) => ENVIRONMENTS.places.has(word) || ENVIRONMENTS.stages.has(word))) return false
    const words = nameWords(value)
    if (words.includes('non') || words.includes('nonprod') || words.includes('pre') || words.includes('preprod'))
      return false
    return words.some((word) =>
      word === 'live' ? names.some((name) => ENVIRONMENTS.stages.has(name)) : ENVIRONMENTS.production.has(word),
    )
  })
}

/**
 * Whether the call goes to an environment that only developers use. This lowers the risk of running something there, never
 * of deleting, sending or paying.
 */
export function isSandbox(objects: readonly JsonObject[]): boolean {
  return eachEntry(objects.slice(0, 4), (key, value) => {
    if (typeof value !== 'string' || value.length > 64) return false
    const words = nameWords(value)
    if (words.some((word) => ENVIRONMENTS.production.has(word))) return false
    const names = nameWords(key)
    if (names.some((word) => ENVIRONMENTS.sandboxArguments.has(word)))
      return words.some((word) => ENVIRONMENTS.sandboxes.has(word))
    if (!ENVIRONMENTS.sandboxNames.has(names.join(''))) return false
    return words.length > 1 && [words[0], words.at(-1)].some((word) => ENVIRONMENTS.sandboxes.has(word ?? ''))
  })
}

/** Whether a flag asks for a dry run, and none contradicts it. The tool may not know the flag: see `rateTool`. */
export function asksForDryRun(objects: readonly JsonObject[]): boolean {
  const flag = (value: Json): boolean =>
    value === true || value === 'true' || value === 1 || value === 'client' || value === 'server' || value === 'All'
  let dry = false
  let commits = false
  const [args = {}] = objects
  const options = Object.entries(args).flatMap(([key, value]) =>
    ENVIRONMENTS.options.has(key.toLowerCase()) && value !== null && typeof value === 'object' && !Array.isArray(value)
      ? [value as JsonObject]
      : [],
  )
  eachEntry([args, ...options], (key, value) => {
    const name = letterKey(key)
    if (ENVIRONMENTS.dryRun.has(name) && flag(value)) dry = true
    if (ENVIRONMENTS.modes.has(name) && typeof value === 'string' && ENVIRONMENTS.dryRunModes.has(letterKey(value)))
      dry = true
    if (ENVIRONMENTS.commits.has(name)) {
      if (flag(value)) commits = true
      if (value === false && (name === 'apply' || name === 'execute' || name === 'commit')) dry = true
    }
    return false
  })
  const contradicts = eachEntry(objects, (key, value) => {
    if (!ENVIRONMENTS.dryRunIfTrue.has(letterKey(key))) return false
    return (
      value === false ||
      value === 0 ||
      value === null ||
      (typeof value === 'string' && ENVIRONMENTS.no.has(value.toLowerCase()))
    )
  })
  return dry && !commits && !contradicts
}

/** What flags and filters add to an action. */
export interface FlagEffects {
  /** `{ delete: true }`, `{ permanent: true }`. */
  readonly destroys: boolean
  /** `{ force: true }`, `{ mode: 'hard' }`. */
  readonly forces: boolean
  /** `{ all: true }`, `{ filter: {} }`, `{ ids: '*' }`. */
  readonly everything: boolean
}

export function flagEffects(objects: readonly JsonObject[]): FlagEffects {
  let destroys = false
  let forces = false
  let everything = false
  eachEntry(objects, (key, value) => {
    const name = letterKey(key)
    if (value === true) {
      if (ENVIRONMENTS.removalFlags.has(name)) destroys = true
      if (name.startsWith('force') || name === 'hard' || name === 'overwriteall') forces = true
      if (ENVIRONMENTS.everythingFlags.has(name) || /(?:all|everything)$/.test(name)) everything = true
    }
    if (name === 'mode' && value === 'hard') forces = true
    if (ENVIRONMENTS.commandLineFlags.has(name)) {
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
    if (ENVIRONMENTS.filters.has(name) && picksEverything(value)) everything = true
    if (typeof value === 'string' && !ENVIRONMENTS.places.has(name) && EVERYTHING.test(value.slice(0, 64)))
      everything = true
    return false
  })
  return { destroys, forces, everything }
}

/** `{ artikel: 'alle' }`, whatever the argument is called; a table may be called `todos`. */
const EVERYTHING = /^\s*(?:alle|todas|tous|toutes|tutti|tutte|全部|所有|すべて|everyone|everything)\s*$/i

function picksEverything(value: Json): boolean {
  if (typeof value === 'string')
    return /^\s*(?:\*|%|\.\*|all|alle|todos|todas|tous|toutes|tutti|tutte|全部|所有|すべて|1\s*=\s*1|true|\{\s*\})\s*$/i.test(
      value.slice(0, 64),
    )
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
