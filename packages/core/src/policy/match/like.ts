import { folderOf } from '../../command/part-folder.ts'
import { grantableOptions } from '../../command/programs/global-options.ts'
import { findVerb, hasFlag, wholeVerb } from '../../command/programs/subcommand.ts'
import { isAlone, readLike } from '../schema/like-command.ts'
import type { Case, Test } from './call-unit.ts'
import { resolveFolder } from './folder.ts'
import { isWithinShown, shownWords } from './shown-words.ts'
import { NO, UNKNOWN, YES } from './three-valued-logic.ts'

/**
 * Compiles `like`: a command of the same shape. SECURITY: A11 read narrowly, variables, redirections, options before the verb
 * and other arguments of the tool make it uncertain: they may change what runs, or where.
 */
export function compileLike(text: string, wide: boolean): Test {
  const like = readLike(text)
  const shown = like === null ? null : shownWords(like.part, like.verb)
  if (like === null || shown === null) return () => UNKNOWN
  const leading = [...(grantableOptions(like.program)?.valued ?? [])]
  return ({ part, opaque }, about) => {
    if (part === null) return opaque ? UNKNOWN : NO
    if (part.program === null) return UNKNOWN
    if (part.program !== like.program) return NO
    if (findVerb(part).kind === 'unknown' || part.args.some(({ value, glob }) => value === null || glob)) return UNKNOWN
    if (wholeVerb(part) !== like.verb || !isWithinShown(part, [like.verb], shown)) return NO
    if (wide) return YES
    const isMoved = leading.some((flag) => hasFlag(part, flag) !== 'no')
    return isAlone(part) && !isMoved && isOnlyCommand(about, like.program) ? YES : UNKNOWN
  }
}

/** Whether the tool gets nothing but the command, and perhaps where its program is, as PATH tells it. */
export function isOnlyCommand({ call, circumstances }: Pick<Case, 'call' | 'circumstances'>, program: string): boolean {
  const isFound = call.args['program'] === circumstances.programs?.get(program)
  return call.around?.beside.every((name) => name === 'program' && isFound) === true
}

/** Compiles `in`: the folder that a command runs in. */
export function compileIn(folders: readonly string[]): Test {
  return ({ part, opaque }, about) => {
    if (part === null) return opaque ? UNKNOWN : NO
    if (part.cwd === null) return UNKNOWN
    return folders.some((folder) => isFolder(folder, part.cwd, about)) ? YES : NO
  }
}

function isFolder(folder: string, cwd: string | null, { call, circumstances }: Case): boolean {
  const { places, folders } = circumstances
  const spelled = resolveFolder(folder, places)
  const at = resolveFolder(folderOf(cwd, call.around?.cwd ?? call.cwd, places.home), places)
  return at === spelled || at === folders?.get(spelled)
}
