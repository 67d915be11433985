import type { Json } from '../call/json.ts'
import type { PlacedProblem } from './issue-problem.ts'
import type { PolicySource } from './policy-source.ts'
import { quote } from './problem.ts'
import { suggest } from './suggest.ts'

/**
 * What the definition of one key cannot see: checkers that are not registered, ids used twice, a preset chosen by a
 * project. Looks at the raw document, so that these are reported together with everything else.
 */
export function crossProblems(file: PolicySource, root: Json, checkers: readonly string[]): readonly PlacedProblem[] {
  const rules = listAt(root, 'rules')
  return [
    ...presetProblems(file, root),
    ...rules.flatMap((rule, index) => checkerProblems(rule, index, checkers)),
    ...idProblems(rules, Object.keys(mapAt(root, 'tools'))),
  ]
}

function presetProblems(file: PolicySource, root: Json): readonly PlacedProblem[] {
  if (file.layer !== 'project' || fieldOf(root, 'preset') === undefined) return []
  const message = '`preset` is chosen in the user’s own file or a managed one, not by a project; remove it'
  return [{ path: ['preset'], at: 'key', message }]
}

function checkerProblems(rule: Json, index: number, checkers: readonly string[]): readonly PlacedProblem[] {
  const field = fieldOf(rule, 'checks')
  const names = typeof field === 'string' ? [field] : Array.isArray(field) ? (field as readonly Json[]) : []
  return names.flatMap((name, nth): readonly PlacedProblem[] => {
    if (typeof name !== 'string' || checkers.includes(name)) return []
    const suggestion = suggest(name, checkers)
    const message = `no checker is called ${quote(name)}${checkers.length === 0 ? '' : `; there are ${checkers.join(', ')}`}`
    const path = ['rules', index, 'checks', ...(typeof field === 'string' ? [] : [nth])]
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
  const field = fieldOf(value, key)
  return field !== undefined && field !== null && typeof field === 'object' && !Array.isArray(field)
    ? (field as Readonly<Record<string, Json>>)
    : {}
}
