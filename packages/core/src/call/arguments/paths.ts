import { ARGUMENT_NAMES } from '../../knowledge/compiled/tools.ts'
import { isArray } from '../json/canonical.ts'
import type { Json, JsonObject } from '../json/json.ts'
import { nameWords } from '../names/words.ts'
import { isPatch, patchSummary } from './patch-paths.ts'

/** `save_as` and `download_as` name the file to create. */
const SAVED_AS = /^(?:save|saved|download|store|write|export|output) as$|^saveas$/
const LOOKS_LIKE_PATH = /^(?:\/|~(?:\/|$)|\.{1,2}(?:\/|$)|file:\/\/|[A-Za-z]:\\)/
const MAX_PATH = 4096

export interface PathSearch {
  /** Arguments that are paths, whatever their names. */
  readonly also: readonly string[]
  /** Accept any value that looks like a path, under every name: for unknown tools. */
  readonly byShape: boolean
}

/**
 * Every path among the arguments, at any depth, in order and without duplicates. A path with a NUL is kept, so that the
 * judgement is about the real request; it must never reach a file system. A false match only tightens.
 */
export function findPaths(args: JsonObject, search: PathSearch): readonly string[] {
  const paths = new Set<string>()
  const rest: { readonly key: string; readonly value: Json; readonly top: boolean }[] = []
  const put = (object: JsonObject, top: boolean): void => {
    for (const key of Object.keys(object).reverse()) rest.push({ key, value: object[key] ?? null, top })
  }
  put(args, true)
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { key, value, top } = next
    if (typeof value === 'string') {
      if ((top && search.also.includes(key)) || isPathArgument(key, value, search.byShape)) paths.add(pathOf(value))
    } else if (typeof value === 'object' && value !== null) {
      if (isArray(value)) for (const item of value.toReversed()) rest.push({ key, value: item, top })
      else {
        if (isPathWord(key)) for (const name of Object.keys(value)) if (/[/.]/.test(name)) paths.add(name)
        put(value, false)
      }
    }
  }
  return [...paths]
}

function isPathArgument(key: string, value: string, byShape: boolean): boolean {
  if (value === '' || value.length > MAX_PATH) return false
  const isFileUrl = isUrl(value) && /^file:/i.test(value)
  if (!isFileUrl && isUrl(value)) return false
  const words = nameWords(key)
  if (words.some((word) => ARGUMENT_NAMES.routes.has(word)) && !isFileUrl) return false
  if (isPathWord(key)) return !value.includes('\n')
  if (value.includes('\n')) return false
  const mayBe = ARGUMENT_NAMES.possiblePaths.has(words.at(-1) ?? '') || SAVED_AS.test(words.join(' '))
  if (LOOKS_LIKE_PATH.test(value)) return byShape || mayBe
  return mayBe && !/[\s@]/.test(value) && (value.includes('/') || /\.[A-Za-z0-9]{1,8}$/.test(value))
}

function isUrl(value: string): boolean {
  return value.includes('://') && /^[a-z][a-z0-9+.-]*:\/\//i.test(value)
}

function isPathWord(key: string): boolean {
  const last = nameWords(key).at(-1)
  return last !== undefined && ARGUMENT_NAMES.paths.has(last)
}

/** `file:///a%20b` is `/a b`; text that can't be decoded stays as written. */
function pathOf(value: string): string {
  if (!isUrl(value) || !/^file:/i.test(value)) return value
  try {
    return decodeURIComponent(new URL(value).pathname)
  } catch {
    return value
  }
}

/** The folder that a glob starts from: `/etc/*.conf` starts from `/etc`. Undefined if it is the current folder. */
export function globRoot(glob: string): string | undefined {
  const literal = glob.split(/[*?[{]/, 1)[0] ?? ''
  if (!LOOKS_LIKE_PATH.test(glob) && !glob.includes('..')) return undefined
  if (glob.includes('..') && !literal.includes('..')) return '..'
  const root = literal === glob ? literal : literal.slice(0, literal.lastIndexOf('/') + 1)
  return root === '' ? '.' : root
}

/** The patch among the arguments, if there is one. */
export function findPatch(
  args: JsonObject,
): { readonly text: string; readonly summary: ReturnType<typeof patchSummary> } | undefined {
  for (const value of Object.values(args)) {
    if (typeof value === 'string' && isPatch(value)) return { text: value, summary: patchSummary(value) }
  }
  return undefined
}
