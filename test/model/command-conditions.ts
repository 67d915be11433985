import { decompose } from '../../packages/core/src/command/decompose.ts'
import type { CommandPart } from '../../packages/core/src/command/model/decomposition.ts'
import { grantableOptions } from '../../packages/core/src/command/programs/global-options.ts'
import { findVerb, hasFlag, wholeVerb } from '../../packages/core/src/command/programs/subcommand.ts'
import { isWithinShown, shownWords } from '../../packages/core/src/policy/match/shown-words.ts'
import type { Conditions } from '../../packages/core/src/policy/model/rule.ts'
import { place } from './path-conditions.ts'
import { every, some, type Tri, textMatches, tri, type Unit, type World } from './tri.ts'

/** Undefined unless it is a plain word. */
function wordOf({ value, glob }: { readonly value: string | null; readonly glob: boolean }): string | undefined {
  return value === null || glob || value.startsWith('-') ? undefined : value
}

/** Matches the words of a verb in order; unknown if one is not a plain word. */
function wordsHold(wanted: readonly string[], words: readonly (string | undefined)[]): Tri {
  for (let at = 0; at < wanted.length; at += 1) {
    if (at >= words.length) return 'no'
    const word = words[at]
    if (word === undefined) return 'unknown'
    if (!textMatches(wanted[at] ?? '', word)) return 'no'
  }
  return 'yes'
}

/** The same words around the same verb; read narrowly, also nothing before, behind or beside them. */
function likeHolds(text: string, part: CommandPart, { call, now }: World, wide: boolean): Tri {
  const [like] = decompose(text).parts
  const verb = like && wholeVerb(like)
  const shown = like && verb ? shownWords(like, verb) : null
  if (!like || !verb || !shown || part.program === null) return 'unknown'
  if (part.program !== like.program) return 'no'
  if (findVerb(part).kind === 'unknown' || part.args.some((word) => word.value === null || word.glob)) return 'unknown'
  if (wholeVerb(part) !== verb || !isWithinShown(part, [verb], shown)) return 'no'
  const before = [...(grantableOptions(part.program)?.valued ?? [])].some((flag) => hasFlag(part, flag) !== 'no')
  const alone = part.assignments.length + part.via.length + part.redirections.length === 0 && part.stdin.kind === 'none'
  return wide ||
    (alone &&
      !before &&
      call.around?.beside.every(
        (name) => name === 'program' && call.args[name] === now.programs?.get(part.program ?? ''),
      ))
    ? 'yes'
    : 'unknown'
}

export function commandHolds(test: NonNullable<Conditions['command']>, unit: Unit, world: World, wide: boolean): Tri {
  const { part } = unit
  if (!part) return unit.opaque ? 'unknown' : 'no'
  const bins = ['', '/bin/', '/usr/bin/', '/usr/local/bin/', '/sbin/', '/usr/sbin/', '/opt/homebrew/bin/']
  const itself = bins.some((bin) => part.path === `${bin}${part.program}`)
  const named = test.program?.some((program) => part.program !== null && textMatches(program, part.program))
  const verb = findVerb(part)
  const all: Tri[] = []
  if (test.program) all.push(part.program === null ? 'unknown' : !named ? 'no' : wide || itself ? 'yes' : 'unknown')
  if (test.verb)
    all.push(
      verb.kind === 'verb'
        ? some(test.verb.map((wanted) => wordsHold(wanted.split(' '), [verb.verb, ...verb.rest.map(wordOf)])))
        : verb.kind === 'none'
          ? 'no'
          : 'unknown',
    )
  if (test.flags) all.push(some(test.flags.map((flag) => hasFlag(part, flag))))
  if (test.like) all.push(likeHolds(test.like, part, world, wide))
  if (test.in) {
    const { places } = world.now
    const at = part.cwd || world.call.around?.cwd || world.call.cwd
    const here = (folder: string) => place(folder, places).replace(/^(?!\/)/, `${places.workspace}/`)
    all.push(part.cwd === null ? 'unknown' : tri(test.in.some((folder) => here(folder) === at)))
  }
  return every(all)
}
