import { type BeforeVerb, beforeVerb, valuedOptions } from '../../knowledge/programs.ts'

/** The options of a program before its verb. An option in neither list makes the verb unknown. */
export interface GlobalOptions {
  /** Options that take a value in the next word. */
  readonly valued: ReadonlySet<string>
  /** Options without a value. */
  readonly flags: ReadonlySet<string>
}

const BY_ROW = new WeakMap<BeforeVerb, GlobalOptions>()

/** The options between a program's name and its verb; undefined when they are not known. */
export function globalOptions(program: string): GlobalOptions | undefined {
  const row = beforeVerb(program)
  if (row === undefined) return undefined
  let options = BY_ROW.get(row)
  if (options === undefined) {
    options = { valued: valuedOptions(row), flags: new Set([...(row.flag ?? []), '-h', '--help', '--version']) }
    BY_ROW.set(row, options)
  }
  return options
}

/** The same for the programs whose verbs are narrow enough for a grant by pattern. */
export function grantableOptions(program: string): GlobalOptions | undefined {
  return beforeVerb(program)?.alias === true ? undefined : globalOptions(program)
}

/** Whether a verb is a group of others, so that the next word tells the action. */
export function isVerbGroup(program: string, verb: string): boolean {
  const groups = beforeVerb(program)?.groups
  return groups === 'every' || groups?.includes(verb) === true
}
