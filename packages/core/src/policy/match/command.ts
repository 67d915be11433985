import type { CommandPart, CommandWord } from '../../command/model/decomposition.ts'
import { findVerb, hasFlag } from '../../command/programs/subcommand.ts'
import type { CommandTest } from '../model/rule.ts'
import type { Test } from './call-unit.ts'
import { compileTextGlob } from './glob.ts'
import { compileIn, compileLike } from './like.ts'
import { type Answer, isWide, NO, type Reading, UNKNOWN, YES } from './three-valued-logic.ts'

/** Folders where a program given by its path counts as the program of that name. */
const PROGRAM_FOLDERS = ['/bin', '/usr/bin', '/usr/local/bin', '/sbin', '/usr/sbin', '/opt/homebrew/bin']

/** Compiles a test on the unit's simple command. Names are exact and case-sensitive; `*` matches any run of characters. */
export function compileCommand(test: CommandTest, reading: Reading): Test {
  const program = test.program && compileProgram(test.program, isWide(reading))
  const verb = test.verb && compileVerb(test.verb)
  const flags = test.flags && compileFlags(test.flags)
  const like = test.like === undefined ? undefined : compileLike(test.like, isWide(reading))
  const place = test.in && compileIn(test.in)
  return (unit, about) => {
    const { part } = unit
    if (part === null) return unit.opaque ? UNKNOWN : NO
    let answer: Answer = program ? program(part) : YES
    if (answer !== NO && verb) answer = Math.min(answer, verb(part)) as Answer
    if (answer !== NO && flags) answer = Math.min(answer, flags(part)) as Answer
    if (answer !== NO && like) answer = Math.min(answer, like(unit, about)) as Answer
    if (answer !== NO && place) answer = Math.min(answer, place(unit, about)) as Answer
    return answer
  }
}

type PartTest = (part: CommandPart) => Answer

/** SECURITY: `./git` is not git. A deny for git covers it; a rule that loosens git is uncertain for it. */
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

/** `pr list` needs both words in sequence. A word that is not literal makes the match uncertain. */
function compileVerb(verbs: readonly string[]): PartTest {
  const patterns = verbs.map((verb) => verb.split(' ').map(compileTextGlob))
  return (part) => {
    const found = findVerb(part)
    if (found.kind !== 'verb') return found.kind === 'none' ? NO : UNKNOWN
    const words = [found.verb, ...found.rest.map(plainValue)]
    return patterns.reduce<Answer>((most, pattern) => Math.max(most, matchWords(pattern, words)) as Answer, NO)
  }
}

function matchWords(pattern: readonly ((text: string) => boolean)[], words: readonly (string | null)[]): Answer {
  for (const [at, matches] of pattern.entries()) {
    const word = words[at]
    if (word === undefined) return NO
    if (word === null) return UNKNOWN
    if (!matches(word)) return NO
  }
  return YES
}

/** Null for a word only the shell knows, and for an option, which a verb may follow. */
function plainValue({ value, glob }: CommandWord): string | null {
  return glob || value?.startsWith('-') === true ? null : value
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
