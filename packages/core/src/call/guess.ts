import { isArray } from './canonical.ts'
import type { Descriptor, Kind } from './descriptor.ts'
import { findCommand } from './find-command.ts'
import { findPatch, findPaths } from './find-paths.ts'
import type { Json, JsonObject } from './json.ts'
import { looksLikeSql } from './sql-shape.ts'
import { kindOfName, strongerKind } from './verbs.ts'
import { nameWords } from './words.ts'

const COMMAND_NAMES: ReadonlySet<string> = new Set(
  'command cmd commandline shellcommand bash commands script exec'.split(' '),
)
const ACTION_NAMES: ReadonlySet<string> = new Set('action method operation op verb subcommand'.split(' '))
const SQL_NAMES: ReadonlySet<string> = new Set('sql sqlquery statement statements'.split(' '))
const URL_WORDS: ReadonlySet<string> = new Set('url urls href uri webhook'.split(' '))
const URL_SHAPE = /^[a-z][a-z0-9+.-]*:\/\/\S+$/i

/**
 * What an unknown tool seems to do, from its name and the names and shapes of its arguments. The guess only ever errs
 * upwards: nothing is called a read that might be more, and without a verb we know the answer is "nobody said".
 */
export function guessDescriptor(name: string, args: JsonObject): Descriptor {
  const objects = objectsIn(args)
  const fields = { ...commandField(objects), ...sqlField(objects), ...urlFields(objects) }
  const patch = findPatch(args)
  const paths = new Set([...findPaths(args, { also: [], byShape: true }), ...(patch?.summary.paths ?? [])])
  const action = actionKind(objects)
  const named = kindOfName(name)
  const start = named === 'read' && action === 'unknown' ? undefined : named
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

/** The arguments and every object inside them: what a tool does may hang on a nested option. */
function objectsIn(args: JsonObject): readonly JsonObject[] {
  const objects: JsonObject[] = []
  const rest: Json[] = [args]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next !== 'object' || next === null) continue
    if (!isArray(next)) objects.push(next)
    for (const value of Object.values(next).reverse()) if (typeof value === 'object') rest.push(value)
  }
  return objects
}

function commandField(objects: readonly JsonObject[]): Pick<Descriptor, 'command'> {
  const lines = new Set<string>()
  for (const object of objects) {
    const names = Object.keys(object).filter((key) => COMMAND_NAMES.has(plain(key)))
    const found = names.length === 0 ? undefined : findCommand(object, names)
    // A list of words may still be joined and given to a shell: judge it as that.
    if (found !== undefined) lines.add(found.argv === undefined ? found.command : found.argv.join(' '))
  }
  return lines.size === 0 ? {} : { command: [...lines].join('\n') }
}

/** SQL by the argument's name, or by what the text looks like. */
function sqlField(objects: readonly JsonObject[]): Pick<Descriptor, 'sql'> {
  const texts = new Set<string>()
  for (const [key, value] of entriesOf(objects)) {
    const isNamed = SQL_NAMES.has(plain(key))
    if (!isNamed && !/query|^q$|text|body/.test(plain(key))) continue
    for (const text of strings(value)) if (text !== '' && (isNamed || looksLikeSql(text))) texts.add(text)
  }
  return texts.size === 0 ? {} : { sql: [...texts].join(';\n') }
}

/** The URL the call goes to, and all of them when there are several: a rule about one must not speak for the others. */
export function urlFields(objects: readonly JsonObject[]): Pick<Descriptor, 'url' | 'urls'> {
  const urls = new Set<string>()
  for (const [key, value] of entriesOf(objects)) {
    const isNamed = nameWords(key).some((word) => URL_WORDS.has(word))
    for (const text of strings(value)) {
      if (/^file:/i.test(text)) continue
      if (URL_SHAPE.test(text) || (isNamed && text !== '')) urls.add(text)
    }
  }
  const [url] = urls
  if (url === undefined) return {}
  return urls.size === 1 ? { url } : { url, urls: [...urls] }
}

/** `action: 'delete'` raises; an action nobody knows takes away the right to be called a read. */
function actionKind(objects: readonly JsonObject[]): Kind | 'unknown' | undefined {
  let found: Kind | 'unknown' | undefined
  for (const [key, value] of entriesOf(objects)) {
    const name = plain(key)
    if (typeof value !== 'string' || !(ACTION_NAMES.has(name) || name === 'mode')) continue
    const kind = kindOfName(value)
    if (kind !== undefined) found = found === undefined || found === 'unknown' ? kind : strongerKind(found, kind)
    else if (name !== 'mode') found ??= 'unknown'
  }
  return found
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

function plain(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, '')
}
