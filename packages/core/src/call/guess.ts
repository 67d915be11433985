import { isArray } from './canonical.ts'
import type { Descriptor, Kind } from './descriptor.ts'
import { findCommand } from './find-command.ts'
import { findPatch, findPaths } from './find-paths.ts'
import type { Json, JsonObject } from './json.ts'
import { looksLikeSql } from './sql-shape.ts'
import { isStronger, kindOfName, strongerKind } from './verbs.ts'
import { nameWords } from './words.ts'

const COMMAND_NAMES: ReadonlySet<string> = new Set('command cmd commandline shellcommand bash commands script exec'.split(' '))
const ACTION_NAMES: ReadonlySet<string> = new Set('action method operation op verb mode subcommand'.split(' '))
const SQL_NAMES: ReadonlySet<string> = new Set('sql sqlquery statement statements'.split(' '))
const URL_SHAPE = /^[a-z][a-z0-9+.-]*:\/\/\S+$/i

/**
 * What an unknown tool seems to do, from its name and the names and shapes of its arguments. The guess only ever errs
 * upwards: nothing is called a read that might be more, and without a verb we know the answer is "nobody said".
 */
export function guessDescriptor(name: string, args: JsonObject): Descriptor {
  const fields = {
    ...commandField(args),
    ...sqlField(args),
    ...urlFields(args),
  }
  const patch = findPatch(args)
  const paths = new Set([...findPaths(args, { also: new Set(), byShape: true }), ...(patch?.summary.paths ?? [])])
  const action = actionKind(args)
  let kind = kindOfName(name)
  if (kind === 'read' && action === 'unknown') kind = undefined
  for (const raise of [
    action === 'unknown' ? undefined : action,
    flagKind(args),
    fields.command === undefined ? undefined : 'execute',
    fields.sql === undefined ? undefined : 'query',
    patch?.summary.kind,
  ] satisfies (Kind | undefined)[]) {
    if (raise !== undefined && (kind === undefined || isStronger(raise, kind))) kind = raise
  }
  return {
    kind: kind ?? 'other',
    ...fields,
    ...(paths.size > 0 ? { paths: [...paths] } : {}),
    source: kind === undefined ? 'nobody' : 'guessed',
  }
}

function commandField(args: JsonObject): Pick<Descriptor, 'command'> {
  const found = findCommand(args, Object.keys(args).filter((key) => COMMAND_NAMES.has(plain(key))))
  if (found === undefined) return {}
  // A list of words may still be joined and given to a shell: judge it as that.
  return { command: found.argv === undefined ? found.command : found.argv.join(' ') }
}

/** SQL by the argument's name, or by what the text looks like. */
export function sqlField(args: JsonObject): Pick<Descriptor, 'sql'> {
  const texts = new Set<string>()
  for (const [key, value] of Object.entries(args)) {
    for (const text of strings(value)) {
      if (text !== '' && (SQL_NAMES.has(plain(key)) || (/query|^q$|text|body/.test(plain(key)) && looksLikeSql(text)))) texts.add(text)
    }
  }
  return texts.size === 0 ? {} : { sql: [...texts].join(';\n') }
}

/** The URL the call goes to, and all of them when there are several: a rule about one must not speak for the others. */
export function urlFields(args: JsonObject): Pick<Descriptor, 'url' | 'urls'> {
  const urls = new Set<string>()
  for (const [key, value] of Object.entries(args)) {
    const named = nameWords(key).some((word) => word === 'url' || word === 'urls' || word === 'href' || word === 'uri' || word === 'webhook')
    for (const text of strings(value)) {
      if (/^file:/i.test(text)) continue
      if (URL_SHAPE.test(text) || (named && text !== '')) urls.add(text)
    }
  }
  const [url] = urls
  if (url === undefined) return {}
  return urls.size === 1 ? { url } : { url, urls: [...urls] }
}

/** `action: 'delete'` raises; an action nobody knows takes away the right to be called a read. */
function actionKind(args: JsonObject): Kind | 'unknown' | undefined {
  let found: Kind | 'unknown' | undefined
  for (const [key, value] of Object.entries(args)) {
    if (!ACTION_NAMES.has(plain(key)) || typeof value !== 'string') continue
    const kind = kindOfName(value)
    if (kind === undefined) found ??= 'unknown'
    else found = found === undefined || found === 'unknown' ? kind : strongerKind(found, kind)
  }
  return found
}

/** `{ delete: true }` is a request to delete. */
function flagKind(args: JsonObject): Kind | undefined {
  let found: Kind | undefined
  for (const [key, value] of Object.entries(args)) {
    if (value !== true) continue
    const kind = kindOfName(key)
    if (kind === 'delete' || kind === 'write') found = found === undefined ? kind : strongerKind(found, kind)
  }
  return found
}

function strings(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || !isArray(value)) return []
  return value.filter((item) => typeof item === 'string')
}

function plain(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, '')
}
