import type { Json, JsonObject } from '../../call/json/json.ts'
import type { ValueTest } from '../model/rule.ts'
import { compileExpression } from '../schema/regular-expression.ts'
import type { Test } from './call-unit.ts'
import { compileTextGlob } from './glob.ts'
import { type Answer, isWide, NO, type Reading, UNKNOWN, YES } from './three-valued-logic.ts'

/** Longer text is not searched, and the result is unknown. SECURITY: A25. */
export const MAX_REGEX_INPUT = 65_536

type Judge = (value: Json) => Answer

/**
 * Compiles tests on arguments. A dotted name descends into objects (own properties only) and every element of an array. An
 * absent argument does not match. An array matches if any element does where that tightens, and only if all do where it loosens.
 */
export function compileArgs(args: { readonly [dottedName: string]: ValueTest }, reading: Reading): Test {
  const tests = Object.entries(args).map(([name, test]) => compileArgument(name, test, isWide(reading)))
  const [only] = tests
  if (only && tests.length === 1) return (_unit, about) => only(about.call.args)
  return (_unit, about) => {
    let answer: Answer = YES
    for (const test of tests) {
      const one = test(about.call.args)
      if (one === NO) return NO
      if (one < answer) answer = one
    }
    return answer
  }
}

function compileArgument(name: string, test: ValueTest, wide: boolean): (args: JsonObject) => Answer {
  const scalar = compileScalar(test)
  const judge = compileValue(test, scalar, wide)
  if (!name.includes('.')) {
    return (args) => {
      const value = args[name]
      // Inherited properties are never text or numbers.
      if (typeof value === 'string' || typeof value === 'number') return scalar(value)
      return Object.hasOwn(args, name) ? judge(value ?? null) : NO
    }
  }
  const segments = name.split('.')
  return (args) => {
    const led = lead(args, segments, 0, judge, wide)
    if (!Object.hasOwn(args, name)) return led ?? NO
    const literal = judge(args[name] ?? null)
    return led === null ? literal : combine(led, literal, wide)
  }
}

/** The value at a dotted name, or null. */
function lead(value: Json, names: readonly string[], at: number, judge: Judge, wide: boolean): Answer | null {
  const name = names[at]
  if (name === undefined) return judge(value)
  if (value === null || typeof value !== 'object') return null
  if (!isArray(value)) return Object.hasOwn(value, name) ? lead(value[name] ?? null, names, at + 1, judge, wide) : null
  let answer: Answer | null = null
  for (const element of value) {
    const one = lead(element, names, at, judge, wide) ?? NO
    answer = answer === null ? one : combine(answer, one, wide)
  }
  return answer
}

function combine(a: Answer, b: Answer, wide: boolean): Answer {
  return a > b === wide ? a : b
}

function compileValue(test: ValueTest, scalar: Judge, wide: boolean): Judge {
  const comparesWhole = test.equals !== undefined || test.in !== undefined
  const list = (value: readonly Json[]): Answer => {
    if (comparesWhole && scalar(value) === YES) return YES
    let answer: Answer | null = null
    for (const element of value) answer = answer === null ? deep(element) : combine(answer, deep(element), wide)
    return answer ?? NO
  }
  const deep: Judge = (value) => (isArray(value) ? list(value) : scalar(value))
  return deep
}

function compileScalar(test: ValueTest): Judge {
  const judges = fieldJudges(test)
  const [only] = judges
  if (only && judges.length === 1) return only
  return (value) => {
    let answer: Answer = YES
    for (const judge of judges) {
      const one = judge(value)
      if (one === NO) return NO
      if (one < answer) answer = one
    }
    return answer
  }
}

function fieldJudges(test: ValueTest): readonly Judge[] {
  const judges: Judge[] = []
  const { equals, above, below, glob, regex } = test
  if (equals !== undefined) judges.push((value) => (isJsonEqual(value, equals) ? YES : NO))
  if (test.in !== undefined) {
    const allowed = test.in
    judges.push((value) => (allowed.some((one) => isJsonEqual(value, one)) ? YES : NO))
  }
  if (above !== undefined) judges.push(onNumber((value) => value > above))
  if (below !== undefined) judges.push(onNumber((value) => value < below))
  if (glob !== undefined) judges.push(onText(compileTextGlob(glob)))
  if (regex !== undefined) judges.push(onText(compileRegex(regex)))
  return judges
}

/** SECURITY: `"1000000"` must not pass a limit that 1000000 exceeds. A value that is not a number gives unknown. */
function onNumber(holds: (value: number) => boolean): Judge {
  return (value) => {
    const number = typeof value === 'string' ? numberIn(value) : value
    if (typeof number !== 'number') return UNKNOWN
    return holds(number) ? YES : NO
  }
}

const NUMERIC = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

function numberIn(text: string): number | null {
  const trimmed = text.trim()
  return trimmed.length <= 64 && NUMERIC.test(trimmed) ? Number(trimmed) : null
}

function onText(test: (text: string) => boolean | null): Judge {
  return (value) => {
    if (value === null) return NO
    if (typeof value === 'object') return UNKNOWN
    const holds = test(typeof value === 'string' ? value : String(value))
    return holds === null ? UNKNOWN : holds ? YES : NO
  }
}

function compileRegex(pattern: string): (text: string) => boolean | null {
  let compiled: ((text: string) => boolean) | 'broken' | null = null
  return (text) => {
    if (compiled === null) {
      try {
        compiled = compileExpression(pattern)
      } catch {
        compiled = 'broken'
      }
    }
    return compiled === 'broken' || text.length > MAX_REGEX_INPUT ? null : compiled(text)
  }
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

/** Equality of JSON data, ignoring the order of keys. */
function isJsonEqual(a: Json, b: Json): boolean {
  if (a === b) return true
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false
  if (isArray(a)) {
    return isArray(b) && a.length === b.length && a.every((one, at) => isJsonEqual(one, b[at] ?? null))
  }
  if (isArray(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isJsonEqual(a[key] ?? null, b[key] ?? null))
  )
}
