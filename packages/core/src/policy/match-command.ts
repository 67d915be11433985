import type { CommandPart } from '../command/decomposition.ts'
import { findVerb, hasFlag } from '../command/verb.ts'
import type { Answer, Reading } from './answer.ts'
import { isWide, NO, UNKNOWN, YES } from './answer.ts'
import { compileTextGlob } from './glob.ts'
import type { CommandTest } from './rule.ts'
import type { Test } from './unit.ts'

/** Where a program may be named by its path and still count as itself. */
const PROGRAM_FOLDERS = ['/bin', '/usr/bin', '/usr/local/bin', '/sbin', '/usr/sbin', '/opt/homebrew/bin']

/** Compiles a test on the unit's simple command. Names are exact and case-sensitive; `*` may stand for a run of text. */
export function compileCommand(test: CommandTest, reading: Reading): Test {
  const program = test.program && compileProgram(test.program, isWide(reading))
  const verb = test.verb && compileVerb(test.verb)
  const flags = test.flags && compileFlags(test.flags)
  return (unit) => {
    const { part } = unit
    if (part === null) return unit.opaque ? UNKNOWN : NO
    let answer: Answer = program ? program(part) : YES
    if (answer !== NO && verb) answer = Math.min(answer, verb(part)) as Answer
    if (answer !== NO && flags) answer = Math.min(answer, flags(part)) as Answer
    return answer
  }
}

type PartTest = (part: CommandPart) => Answer

/** SECURITY: `./git` is not git. It is denied like git, and what loosens git stays open for it. */
function compileProgram(names: readonly string[], wide: boolean): PartTest {
  const matchers = names.map(compileTextGlob)
  return (part) => {
    const { program } = part
    if (program === null) return UNKNOWN
    if (!matchers.some((matches) => matches(program))) return NO
    return wide || isItself(program, part.path) ? YES : UNKNOWN
  }
}

function isItself(program: string, path: string | null): boolean {
  return path === program || PROGRAM_FOLDERS.some((folder) => path === `${folder}/${program}`)
}

function compileVerb(verbs: readonly string[]): PartTest {
  const matchers = verbs.map(compileTextGlob)
  return (part) => {
    const found = findVerb(part)
    if (found.kind !== 'verb') return found.kind === 'none' ? NO : UNKNOWN
    return matchers.some((matches) => matches(found.verb)) ? YES : NO
  }
}

function compileFlags(flags: readonly string[]): PartTest {
  return (part) => {
    let answer: Answer = NO
    for (const flag of flags) {
      const found = hasFlag(part, flag)
      if (found === 'yes') return YES
      if (found === 'unknown') answer = UNKNOWN
    }
    return answer
  }
}
