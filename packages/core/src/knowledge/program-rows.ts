import type { OwnFile } from './own-schema.ts'
import type { ProgramFile } from './program-schema.ts'

/** A program as a file states it, built-in or somebody's own. */
export type WrittenProgram = NonNullable<ProgramFile['programs']>[number] | NonNullable<OwnFile['programs']>[number]

type Keys = readonly (string | number)[]

/** The part of a row that rating needs, with the line of every answer. `lineOf` takes keys below the row. */
export function compileProgram(row: WrittenProgram, file: string, lineOf: (keys: Keys) => number): object {
  const { names: _names, about: _about, examples: _examples, verbs, flags, no_verb, ...rest } = row
  return {
    file,
    line: lineOf(['names']),
    ...rest,
    ...(verbs && { verbs: verbs.map((group, index) => ({ ...group, line: lineOf(['verbs', index]) })) }),
    ...(flags && {
      flags: flags.map(({ type, ...flag }, index) => ({
        flags: type === undefined ? [] : (row.options?.[type] ?? []),
        ...flag,
        line: lineOf(['flags', index]),
      })),
    }),
    ...(no_verb && { no_verb: { ...no_verb, line: lineOf(['no_verb']) } }),
  }
}

/** Contradictions inside one row: a verb with two answers, an option with two types. */
export function rowConflicts({ verbs = [], options = {} }: WrittenProgram): readonly { keys: Keys; message: string }[] {
  const listed = verbs.flatMap((group, at) =>
    group.verbs.map((verb, index) => ({ name: verb, keys: ['verbs', at, 'verbs', index] })),
  )
  return [
    ...repeated(listed).map(({ name, keys }) => ({ keys, message: `\`${name}\` is listed twice` })),
    ...optionConflicts(options).map(({ type, message }) => ({ keys: ['options', type], message })),
  ]
}

/** Options that have two types. */
export function optionConflicts(options: object): readonly { readonly type: string; readonly message: string }[] {
  const typed = Object.entries(options).flatMap(([type, names]: [string, readonly string[]]) =>
    names.map((name) => ({ name, type })),
  )
  return repeated(typed).map(({ name, type }) => ({ type, message: `\`${name}\` has two types` }))
}

function repeated<T extends { readonly name: string }>(all: readonly T[]): readonly T[] {
  const seen = new Set<string>()
  return all.filter(({ name }) => seen.has(name) || !seen.add(name))
}
