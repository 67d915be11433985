import type { Json } from '../../call/json/json.ts'
import { BUILTIN_CHECKS } from '../model/builtin-checks.ts'
import { quote } from '../model/policy-problem.ts'
import type { PolicySource } from '../model/rule.ts'
import { suggest } from '../schema/spelling-suggestion.ts'
import type { PlacedProblem } from './schema-problems.ts'

/**
 * Problems that involve several keys: unregistered checkers, duplicate ids, a preset chosen by a project. Works on the raw
 * document, so that all problems are reported together.
 */
export function crossProblems(file: PolicySource, root: Json, checkers: readonly string[]): readonly PlacedProblem[] {
  const rules = listAt(root, 'rules')
  const known = [...new Set([...checkers, ...definedCheckers(root)])]
  return [
    ...presetProblems(file, root),
    ...ratingProblems(file, root),
    ...passkeyProblems(file, root),
    ...rules.flatMap((rule, index) => outsideProblems(file, rule, index)),
    ...rules.flatMap((rule, index) => checkerProblems(rule, index, known)),
    ...takenNames(root),
    ...idProblems(rules, Object.keys(mapAt(root, 'tools'))),
  ]
}

function presetProblems(file: PolicySource, root: Json): readonly PlacedProblem[] {
  if (file.layer !== 'project' || fieldOf(root, 'preset') === undefined) return []
  const message = '`preset` is chosen in the user’s own file or a managed one, not by a project; remove it'
  return [{ path: ['preset'], at: 'key', message }]
}

/** A project could lock out a person without a passkey. */
function passkeyProblems(file: PolicySource, root: Json): readonly PlacedProblem[] {
  if (file.layer !== 'project' || fieldOf(fieldOf(root, 'defaults') ?? null, 'passkey') === undefined) return []
  const message = '`passkey` is set in the user’s own file or a managed one, not by a project; remove it'
  return [{ path: ['defaults', 'passkey'], at: 'key', message }]
}

/** INVARIANT: L11, only the person's own rules run commands unasked outside the sandbox. */
function outsideProblems(file: PolicySource, rule: Json, index: number): readonly PlacedProblem[] {
  if (file.layer === 'user' || fieldOf(rule, 'contain') !== false) return []
  const message = '`contain: false` works only in the user’s own file; remove it, or name what the sandbox should allow'
  return [{ path: ['rules', index, 'contain'], at: 'key', message }]
}

/** A project could loosen the policy with these keys. A managed file may only tighten. */
function ratingProblems(file: PolicySource, root: Json): readonly PlacedProblem[] {
  if (file.layer === 'project') {
    return ['thresholds', 'servers']
      .filter((key) => fieldOf(root, key) !== undefined)
      .map((key) => ({
        path: [key],
        at: 'key',
        message: `\`${key}\` is set in the user’s own file or a managed one, not by a project; remove it`,
      }))
  }
  if (file.layer !== 'managed') return []
  return Object.entries(mapAt(root, 'servers'))
    .filter(([, server]) => fieldOf(server, 'trust') === 'hints')
    .map(([name]) => ({
      path: ['servers', name, 'trust'],
      at: 'value',
      message: 'a managed file only tightens; trust a server in the user’s own file',
    }))
}

/** Names of the checkers that a document defines. */
export function definedCheckers(root: Json): readonly string[] {
  return Object.keys(mapAt(root, 'checkers'))
}

/** A program can't replace a built-in check. */
function takenNames(root: Json): readonly PlacedProblem[] {
  return definedCheckers(root)
    .filter((name) => BUILTIN_CHECKS.some((one) => one === name))
    .map((name) => ({
      path: ['checkers', name],
      at: 'key',
      message: `${quote(name)} is a built-in check; give the program another name`,
    }))
}

function checkerProblems(rule: Json, index: number, checkers: readonly string[]): readonly PlacedProblem[] {
  const field = fieldOf(rule, 'checks')
  const items = Array.isArray(field) ? (field as readonly Json[]) : field === undefined ? [] : [field]
  return items.flatMap((item, nth): readonly PlacedProblem[] => {
    const name = typeof item === 'string' ? item : Object.keys(mapOf(item))[0]
    if (name === undefined || checkers.includes(name)) return []
    // An unknown name with options is reported as an unknown key.
    if (typeof item !== 'string' && !BUILTIN_CHECKS.some((one) => one === name)) return []
    const suggestion = suggest(name, checkers)
    const message = `no checker is called ${quote(name)}${checkers.length === 0 ? '' : `; there are ${checkers.join(', ')}`}`
    const path = ['rules', index, 'checks', ...(Array.isArray(field) ? [nth] : [])]
    return [
      { code: 'CS_CHECK_UNKNOWN', path, at: 'value', message, ...(suggestion === undefined ? {} : { suggestion }) },
    ]
  })
}

function idProblems(rules: readonly Json[], tools: readonly string[]): readonly PlacedProblem[] {
  const taken = new Set(tools.map((tool) => `tools.${tool}`))
  return rules.flatMap((rule, index): readonly PlacedProblem[] => {
    const id = fieldOf(rule, 'id')
    if (typeof id !== 'string') return []
    if (taken.has(id))
      return [
        {
          path: ['rules', index, 'id'],
          at: 'value',
          message: `the id ${quote(id)} is taken by another rule of this file`,
        },
      ]
    taken.add(id)
    return []
  })
}

function fieldOf(value: Json, key: string): Json | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || !Object.hasOwn(value, key))
    return undefined
  return (value as Readonly<Record<string, Json>>)[key]
}

function listAt(value: Json, key: string): readonly Json[] {
  const field = fieldOf(value, key)
  return Array.isArray(field) ? (field as readonly Json[]) : []
}

function mapAt(value: Json, key: string): Readonly<Record<string, Json>> {
  return mapOf(fieldOf(value, key) ?? null)
}

function mapOf(value: Json): Readonly<Record<string, Json>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Readonly<Record<string, Json>>)
    : {}
}
