import type * as z from 'zod'
import type { Json } from '../../call/json/json.ts'
import { keysOf } from '../../knowledge/strict-object.ts'
import { type PolicyProblem, quote } from '../model/policy-problem.ts'
import { LATER_KEYS } from '../schema/policy-document.ts'
import { suggest } from '../schema/spelling-suggestion.ts'
import type { TreePath } from './yaml-tree.ts'

/** A problem at one place of a document, worded for its author. */
export interface PlacedProblem {
  readonly path: TreePath
  /** Whether the key or the value at `path` is wrong. */
  readonly at: 'key' | 'value'
  readonly message: string
  readonly suggestion?: string
  /** CS_POLICY_INVALID when absent. */
  readonly code?: NonNullable<PolicyProblem['code']>
}

/** Turns a schema issue into problems with messages and places. */
export function issueProblems(issue: z.core.$ZodIssue, root: Json): readonly PlacedProblem[] {
  return explain(issue, [], root)
}

function explain(issue: z.core.$ZodIssue, above: TreePath, root: Json): readonly PlacedProblem[] {
  const path = [...above, ...issue.path.map((step) => (typeof step === 'number' ? step : String(step)))]
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(key, issue.message, path))
    case 'invalid_value':
      return [
        valueAt(root, path) === undefined
          ? missing(path)
          : notOneOf(valueAt(root, path), issue.values.map(String), path),
      ]
    case 'invalid_union':
      return explainUnion(issue, path, root)
    case 'invalid_type':
      return [mistyped(issue, path, root)]
    case 'invalid_key':
      return issue.issues.map(({ message }) => ({ path, at: 'key', message }))
    case 'too_small':
      if (issue.origin !== 'array')
        return [{ path, at: 'value', message: `${label(path)} is at least ${issue.minimum}` }]
      return [{ path, at: 'value', message: `${label(path)} is empty; give at least one or remove it` }]
    case 'too_big':
      return [
        {
          path,
          at: 'value',
          message: `${label(path)} is ${issue.origin === 'array' ? 'longer' : 'more'} than ${issue.maximum}`,
        },
      ]
    case 'custom': {
      const suggestion: unknown = issue.params?.['suggestion']
      return [{ path, at: 'value', message: issue.message, ...(typeof suggestion === 'string' ? { suggestion } : {}) }]
    }
    default:
      return [{ path, at: 'value', message: issue.message }]
  }
}

function unknownKey(key: string, owner: string, parent: TreePath): PlacedProblem {
  const path = [...parent, key]
  if (LATER_KEYS.has(key)) return { path, at: 'key', message: `${quote(key)} is not enforced yet; remove it` }
  if (key === 'rows') return { path, at: 'key', message: '`rows` belongs to the built-in presets; write rules instead' }
  const keys = keysOf(owner)
  const suggestion = suggest(key, keys)
  const message = `${quote(key)} is not a key of ${owner}${suggestion === undefined ? `; it has ${keys.join(', ')}` : ''}`
  return { path, at: 'key', message, ...(suggestion === undefined ? {} : { suggestion }) }
}

function notOneOf(value: Json | undefined, values: readonly string[], path: TreePath): PlacedProblem {
  if (value === null)
    return { path, at: 'value', message: `${label(path)} has no value; write one of ${values.join(', ')}` }
  const word = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  const suggestion = suggest(word, values)
  const message =
    values.length === 1
      ? `${quote(word)} is not known here; write ${values.join()}`
      : `${quote(word)} is not one of ${values.join(', ')}`
  return { path, at: 'value', message, ...(suggestion === undefined ? {} : { suggestion }) }
}

function missing(path: TreePath): PlacedProblem {
  return { path: path.slice(0, -1), at: 'value', message: `${label(path)} is missing` }
}

/** The branches of a union differ in type, so the one whose type matches is the intended one. */
function explainUnion(issue: z.core.$ZodIssueInvalidUnion, path: TreePath, root: Json): readonly PlacedProblem[] {
  if (valueAt(root, path) === undefined) return [missing(path)]
  const value = valueAt(root, path)
  const meant = issue.errors.find((branch) => branch.some((inner) => !isWrongType(inner, value)))
  if (meant !== undefined) return meant.flatMap((inner) => explain(inner, path, root))
  const words = issue.errors.flat().flatMap(expectedWords)
  return [{ path, at: 'value', message: `expected ${alternatives(words)}, found ${found(value)}` }]
}

function isWrongType(issue: z.core.$ZodIssue, value: Json | undefined): boolean {
  if (issue.path.length > 0) return false
  if (issue.code === 'invalid_union')
    return issue.errors.every((branch) => branch.every((inner) => isWrongType(inner, value)))
  return issue.code === 'invalid_type' || (issue.code === 'invalid_value' && typeof value !== 'string')
}

function expectedWords(issue: z.core.$ZodIssue): readonly string[] {
  if (issue.code === 'invalid_union') return issue.errors.flat().flatMap(expectedWords)
  if (issue.code === 'invalid_value') return [`one of ${issue.values.map(String).join(', ')}`]
  return issue.code === 'invalid_type' ? [ownWords(issue.message) ?? TYPE_WORDS[issue.expected] ?? issue.expected] : []
}

function mistyped(issue: z.core.$ZodIssueInvalidType, path: TreePath, root: Json): PlacedProblem {
  const value = valueAt(root, path)
  if (value === undefined) return missing(path)
  const expected = ownWords(issue.message) ?? TYPE_WORDS[issue.expected] ?? issue.expected
  if (value === null) return { path, at: 'value', message: `${label(path)} has no value; expected ${expected}` }
  return { path, at: 'value', message: `expected ${expected}, found ${found(value)}` }
}

/** Our own messages start with `expected`; the library's start differently. */
function ownWords(message: string): string | undefined {
  return message.startsWith('expected ') ? message.slice('expected '.length) : undefined
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  int: 'a whole number',
  object: 'a map',
  record: 'a map',
  null: 'null',
}

function alternatives(words: readonly string[]): string {
  const unique = [...new Set(words)]
  const last = unique.pop() ?? 'something else'
  return unique.length === 0 ? last : `${unique.join(', ')} or ${last}`
}

function found(value: Json | undefined): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a map'
  return typeof value === 'string'
    ? quote(value)
    : `the ${typeof value === 'number' ? 'number' : 'boolean'} \`${value}\``
}

function label(path: TreePath): string {
  const named = path.findLast((step) => typeof step === 'string')
  return named === undefined ? 'the file' : quote(String(named))
}

function valueAt(root: Json, path: TreePath): Json | undefined {
  let value: Json | undefined = root
  for (const step of path) {
    if (Array.isArray(value)) value = (value as readonly Json[])[Number(step)]
    else if (value !== null && typeof value === 'object' && Object.hasOwn(value, step))
      value = (value as Readonly<Record<string, Json>>)[step]
    else return undefined
  }
  return value
}
