import type { Json } from '../../call/json/json.ts'
import type { Rule } from '../model/rule.ts'

const LONGEST = 400
const PLAIN = /^[\w./*$~{}@+-]+$/

/** What a rule asks for, as it could stand in a policy file; `any call` for a rule without conditions. */
export function conditionText({ when, unless }: Pick<Rule, 'when' | 'unless'>): string {
  const asked = { ...when, ...(unless === null ? {} : { unless }) } as unknown as Json
  const text = flow(asked, false)
  if (text === '') return 'any call'
  return text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text
}

/** YAML of one line; a list of one is written as its item, as people do. */
function flow(value: Json, isInner = true): string {
  if (typeof value === 'string') return PLAIN.test(value) ? value : JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) {
    const [only] = value
    return value.length === 1 && only !== undefined ? flow(only) : `[${value.map((one: Json) => flow(one)).join(', ')}]`
  }
  const fields = Object.entries(value).flatMap(([name, one]) =>
    one === undefined ? [] : [`${name}: ${flow(one as Json)}`],
  )
  return isInner ? `{ ${fields.join(', ')} }` : fields.join(', ')
}
