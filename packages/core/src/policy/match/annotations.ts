import type { Annotations } from '../../call/tool.ts'
import type { Test } from './call-unit.ts'
import type { Answer } from './three-valued-logic.ts'
import { NO, UNKNOWN, YES } from './three-valued-logic.ts'

/** What an absent hint means: the worst. */
const WORST: Required<Annotations> = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
}

/** Compiles a test on a tool's hints, named as MCP does or without `Hint`. */
export function compileAnnotations(test: { readonly [hint: string]: boolean }): Test {
  const wanted = Object.entries(test).map(([name, value]) => ({ hint: hintOf(name), value }))
  return (_unit, about) => {
    let answer: Answer = YES
    for (const { hint, value } of wanted) {
      if (hint === null) answer = UNKNOWN
      else if ((about.call.annotations?.[hint] ?? WORST[hint]) !== value) return NO
    }
    return answer
  }
}

function hintOf(name: string): keyof Annotations | null {
  const full = name.endsWith('Hint') ? name : `${name}Hint`
  return Object.hasOwn(WORST, full) ? (full as keyof Annotations) : null
}
