import { canonicalJson } from '../../call/json/canonical.ts'
import { isJsonObject, type Json, type JsonObject } from '../../call/json/json.ts'
import { CountersignError } from '../../errors.ts'
import { readYaml } from '../../policy/parse/yaml-tree.ts'

const HEAD = `# Rules that people set with \`countersign policy set\`, on a card or in the inbox. The line above is their
# signature: a file changed by hand is refused. Change them the same way, or write rules of your own into policy.yaml.
version: 1
`

/** The text of no rules. */
export const NO_RULES = HEAD

/** The rules in a text, as written. Throws CS_POLICY_INVALID if it is not a list of rules. */
export function rulesIn(text: string): readonly JsonObject[] {
  const read = readYaml(text)
  const root = read.kind === 'refused' ? undefined : read.tree.value
  if (read.kind === 'refused' || read.problems.length > 0 || !isJsonObject(root)) throw notRules()
  const { version, rules = [], ...others } = root
  if (version !== 1 || Object.keys(others).length > 0 || !Array.isArray(rules)) throw notRules()
  return rules.map((rule: Json) => {
    if (!isJsonObject(rule)) throw notRules()
    return rule
  })
}

/** Rules as YAML, always in the same form. */
export function rulesText(rules: readonly JsonObject[]): string {
  if (rules.length === 0) return NO_RULES
  const lines = rules.flatMap((rule) =>
    Object.entries(rule).map(([key, value], at) => `  ${at === 0 ? '-' : ' '} ${key}: ${flowText(value)}`),
  )
  return `${HEAD}rules:\n${lines.join('\n')}\n`
}

/** The rules with one more; it takes the place of the rule with the same conditions. */
export function withRule(rules: readonly JsonObject[], rule: JsonObject): readonly JsonObject[] {
  const key = conditionsKey(rule)
  const at = rules.findIndex((one) => conditionsKey(one) === key)
  const others = rules.filter((_, index) => index !== at)
  const named = { ...rule, id: freeId(typeof rule['id'] === 'string' ? rule['id'] : idFor(rule), others) }
  const { id, ...rest } = named
  const added = { id, ...rest }
  return at === -1 ? [...rules, added] : rules.with(at, added)
}

/** The rules without the one with these conditions. */
export function withoutRule(rules: readonly JsonObject[], conditions: JsonObject): readonly JsonObject[] {
  const key = conditionsKey(conditions)
  return rules.filter((one) => conditionsKey(one) !== key)
}

/** Whether a rule has exactly these conditions. */
export function hasConditions(rule: JsonObject, conditions: JsonObject): boolean {
  return conditionsKey(rule) === conditionsKey(conditions)
}

/** Everything a rule says besides its conditions. */
const ANSWERS = new Set(['id', 'supervision', 'floor', 'up_to', 'checks', 'contain', 'timeout', 'reason'])

function conditionsKey(rule: JsonObject): string {
  return canonicalJson(Object.fromEntries(Object.entries(rule).filter(([key]) => !ANSWERS.has(key))))
}

const MOST_ID = 48

function idFor(rule: JsonObject): string {
  const words = JSON.stringify(Object.fromEntries(Object.entries(rule).filter(([key]) => !ANSWERS.has(key))))
  const slug = words
    .replace(/"(?:program|verb|tool|kind|server|equals|glob|inside|host)":/g, '')
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MOST_ID)
    .replace(/-+$/, '')
  return slug === '' ? 'rule' : slug
}

function freeId(wanted: string, others: readonly JsonObject[]): string {
  const taken = new Set(others.map((one) => one['id']))
  let id = wanted
  for (let nth = 2; taken.has(id); nth += 1) id = `${wanted}-${nth}`
  return id
}

/** Words that YAML reads as something else than text. */
const SPECIAL = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i

/** A value as YAML on one line. */
export function flowText(value: Json): string {
  if (typeof value === 'string')
    return /^[A-Za-z][\w-]*$/.test(value) && !SPECIAL.test(value) ? value : JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((one: Json) => flowText(one)).join(', ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const fields = Object.entries(value).map(([key, one]) => `${flowText(key)}: ${flowText(one)}`)
  return `{ ${fields.join(', ')} }`
}

function notRules(): CountersignError {
  return new CountersignError('CS_POLICY_INVALID', 'this is not a list of rules; write `rules:` and nothing else')
}
