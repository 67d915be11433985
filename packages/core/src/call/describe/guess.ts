import { SQL } from '../../knowledge/compiled/queries.ts'
import { ARGUMENT_NAMES, NAME_WORDS } from '../../knowledge/compiled/tools.ts'
import { findCommand } from '../arguments/command.ts'
import { wordsBeside } from '../arguments/command-words.ts'
import { findPatch, findPaths } from '../arguments/paths.ts'
import { looksLikeSql } from '../arguments/sql-detector.ts'
import { typedText, typesInTerminal } from '../arguments/terminal-input.ts'
import type { Descriptor, Kind } from '../descriptor.ts'
import { isArray } from '../json/canonical.ts'
import type { Json, JsonObject } from '../json/json.ts'
import { byName, byTool } from '../names/name-cache.ts'
import { isDispatcher, kindOfName, readName, strongerKind } from '../names/verbs.ts'
import { nameWords, plainKey } from '../names/words.ts'
import { isBareShell, isPageCode, isShellTool, programOfTool, runsOtherLanguage } from './cli-tools.ts'

const QUERY_NAMES = /query|^q$|statement/
/** Usually prose; SQL only if the tool is about a database. */
const TEXT_NAMES = /text|body|input/
const isDatabase = byTool((name, server): boolean =>
  [...nameWords(name), ...nameWords(server)].some((word) => SQL.servers.has(word)),
)
const URL_SHAPE = /^[a-z][a-z0-9+.-]*:\/\/\S+$/i

/**
 * Guesses what an unknown tool does from its name and the names and shapes of its arguments. When in doubt it guesses the
 * stronger kind: a possible write is never called a read, and without a known verb the source is `nobody`.
 */
export function guessDescriptor(name: string, args: JsonObject, server = ''): Descriptor {
  const objects = objectsIn(args)
  const fields = {
    ...commandField(name, server, objects),
    ...sqlField(objects, isDatabase(name, server), isSearch(name)),
    ...urlFields(objects),
  }
  const patch = findPatch(args)
  const paths = new Set([...findPaths(args, { also: [], byShape: true }), ...(patch?.summary.paths ?? [])])
  const action = actionKind(name, objects)
  const named = kindOfName(name, server)
  // In a dispatcher, the argument decides.
  const chosen = action !== undefined && action !== 'unknown' && isDispatcher(name) ? action : named
  const start = chosen === 'read' && action === 'unknown' ? undefined : chosen
  let kind: Kind = start ?? 'other'
  for (const raise of [
    action === 'unknown' ? undefined : action,
    flagKind(objects),
    fields.command === undefined ? undefined : ('execute' as const),
    fields.sql === undefined ? undefined : ('query' as const),
    fields.url === undefined ? undefined : ('fetch' as const),
    patch?.summary.kind,
  ]) {
    if (raise !== undefined) kind = strongerKind(kind, raise)
  }
  return {
    kind,
    ...fields,
    ...(paths.size > 0 ? { paths: [...paths] } : {}),
    source: start === undefined && kind === 'other' ? 'nobody' : 'guessed',
  }
}

/** The arguments and every object inside them: a nested option may decide what a tool does. */
export function objectsIn(args: JsonObject): readonly JsonObject[] {
  const objects: JsonObject[] = []
  const rest: Json[] = [args]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next !== 'object' || next === null) continue
    if (!isArray(next)) objects.push(next)
    for (const value of Object.values(next).reverse()) if (typeof value === 'object') rest.push(value)
  }
  return objects
}

function commandField(tool: string, server: string, objects: readonly JsonObject[]): Pick<Descriptor, 'command'> {
  const lines = new Set<string>()
  const program = programOfTool(tool, server)
  const named = kindOfName(tool)
  const types = typesInTerminal(tool, server)
  const manner = { exact: false, runs: named === 'execute' || isShellTool(tool), bare: isBareShell(tool) }
  for (const object of objects) {
    const typed = types ? typedText(object) : undefined
    if (typed !== undefined) lines.add(typed)
    const names = Object.keys(object).filter((key) => isCommandArgument(tool, server, key, object))
    const line = findCommand(object, names, manner)?.command ?? programWords(program, object, object === objects[0])
    if (line === undefined) continue
    const isWhole = program === undefined || Object.keys(object).some((key) => plainKey(key) === 'entrypoint')
    lines.add(isWhole || /^\S+/.exec(line.trim())?.[0] === program ? line : `${program} ${line}`)
  }
  return lines.size === 0 ? {} : { command: [...lines].join('\n') }
}

/** The words for the program that the tool is named after: `kubectl { args: ['delete', 'ns', 'a'] }`. */
function programWords(program: string | undefined, object: JsonObject, isTop: boolean): string | undefined {
  if (program === undefined || !isTop) return undefined
  const { subcommand } = object
  const words = [...(typeof subcommand === 'string' ? [subcommand] : []), ...wordsBeside(object)]
  return words.length === 0 ? undefined : words.join(' ')
}

/** Whether an argument is a shell command: not the choice of an action (`{ command: 'view' }`) or another language. */
function isCommandArgument(tool: string, server: string, key: string, object: JsonObject): boolean {
  const name = plainKey(key)
  if (!ARGUMENT_NAMES.commands.has(name)) return false
  const value = object[key]
  if (name === 'script') {
    if (typeof value === 'string' && isPageCode(value)) return false
    return !runsOtherLanguage(tool, object['language'] ?? object['lang'], server)
  }
  return !(typeof value === 'string' && isActionWord(tool, value, object))
}

/** Whether a value is a single verb, in a tool that is not a shell or that names the target of the verb. */
function isActionWord(tool: string, value: string, object: JsonObject): boolean {
  if (!/^[a-z]+(?:[_-][a-z]+)*$/i.test(value) || programOfTool(tool) !== undefined) return false
  if (isShellTool(tool) && !Object.keys(object).some((key) => ARGUMENT_NAMES.actionTargets.has(plainKey(key))))
    return false
  return kindOfName(value) !== undefined
}

/** SQL, by the argument's name or by its text. */
function sqlField(objects: readonly JsonObject[], isDatabase: boolean, searches: boolean): Pick<Descriptor, 'sql'> {
  const texts = new Set<string>()
  for (const [key, value] of entriesOf(objects)) {
    const isNamed = ARGUMENT_NAMES.sql.has(plainKey(key))
    // A search looks for its argument and doesn't run it.
    if (searches && !isDatabase && !isNamed) continue
    if (!isNamed && !QUERY_NAMES.test(plainKey(key)) && !(isDatabase && TEXT_NAMES.test(plainKey(key)))) continue
    for (const text of strings(value)) {
      if (text !== '' && (isNamed || looksLikeSql(text, isDatabase))) texts.add(text)
    }
  }
  return texts.size === 0 ? {} : { sql: [...texts].join(';\n') }
}

const isSearch = byName((tool): boolean => {
  const { acts, verbFirst } = readName(tool)
  return verbFirst && acts.length === 1 && /^(?:search|find|grep|lookup|match|filter)$/.test(acts[0]?.word ?? '')
})

/** The URL of the call, and all of them if there are several: a rule about one must not decide for the others. */
export function urlFields(objects: readonly JsonObject[]): Pick<Descriptor, 'url' | 'urls'> {
  const urls = new Set<string>()
  for (const [key, value] of entriesOf(objects)) {
    const isNamed = nameWords(key).some((word) => ARGUMENT_NAMES.urls.has(word))
    for (const text of strings(value)) {
      if (/^file:/i.test(text)) continue
      if (URL_SHAPE.test(text) || (isNamed && text !== '')) urls.add(text)
    }
  }
  const [url] = urls
  if (url === undefined) return {}
  return urls.size === 1 ? { url } : { url, urls: [...urls] }
}

/** The kind of an action among the arguments. A call with an unknown action is not a read. */
function actionKind(tool: string, objects: readonly JsonObject[]): Kind | 'unknown' | undefined {
  let found: Kind | 'unknown' | undefined
  for (const { value, sure } of actionWords(tool, objects)) {
    const kind = kindOfName(value)
    if (kind !== undefined) found = found === undefined || found === 'unknown' ? kind : strongerKind(found, kind)
    else if (sure) found ??= 'unknown'
  }
  return found
}

/** The actions among the arguments: `{ action: 'delete' }`, `{ options: { mode: 'overwrite' } }`. */
export function actionWords(
  tool: string,
  objects: readonly JsonObject[],
): readonly { readonly value: string; readonly sure: boolean }[] {
  if (asksAboutActions(tool)) return []
  const found: { readonly value: string; readonly sure: boolean }[] = []
  for (const object of objects) {
    for (const [key, value] of Object.entries(object)) {
      const name = plainKey(key)
      if (typeof value !== 'string') continue
      if (ARGUMENT_NAMES.actions.has(name)) found.push({ value, sure: true })
      else if (ARGUMENT_NAMES.possibleActions.has(name) && isChoice(tool, name, value, object))
        found.push({ value, sure: false })
    }
  }
  return found
}

/** `simulate_policy` and `list_audit_events` take actions as a subject, not as a request. */
const asksAboutActions = byName((tool): boolean => {
  const { words, acts } = readName(tool)
  const [first] = acts
  if (first === undefined || acts.length > 1 || words.length < 2) return false
  return NAME_WORDS.probes.has(first.word) || (first.kind === 'read' && NAME_WORDS.records.has(words.at(-1) ?? ''))
})

/** `{ mode: 'overwrite' }` chooses an action; `{ type: 'message' }` names a thing. */
function isChoice(tool: string, name: string, value: string, object: JsonObject): boolean {
  if (!/^[\w-]{1,64}$/.test(value)) return false
  if (name === 'command' || name === 'cmd') return isActionWord(tool, value, object)
  return name === 'mode' || !NAME_WORDS.nouns.has(value.toLowerCase())
}

/** `{ delete: true }` is a request to delete. */
function flagKind(objects: readonly JsonObject[]): Kind | undefined {
  let found: Kind | undefined
  for (const [key, value] of entriesOf(objects)) {
    if (value !== true) continue
    const kind = kindOfName(key)
    if (kind === 'delete' || kind === 'write') found = found === undefined ? kind : strongerKind(found, kind)
  }
  return found
}

function entriesOf(objects: readonly JsonObject[]): readonly (readonly [string, Json])[] {
  return objects.flatMap((object) => Object.entries(object))
}

function strings(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || !isArray(value)) return []
  return value.filter((item) => typeof item === 'string')
}
