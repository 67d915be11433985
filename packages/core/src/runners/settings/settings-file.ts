import type { CommandWord } from '../../command/model/decomposition.ts'
import type { ProjectFile, ProjectReader, Reading } from '../reading/project-reader.ts'
import type { Finds } from '../reading/runner.ts'
import { type Setting, settingsIn } from './yaml-values.ts'

/** Whether a path has the shape `a.*.b`. */
export function isAtKey(path: readonly string[], shape: string): boolean {
  const names = shape.split('.')
  return names.length === path.length && names.every((name, at) => name === '*' || name === path[at])
}

/** The values of options, in the next word or after `=`; null where it is not known. */
export function optionValues(args: readonly CommandWord[], names: readonly string[]): readonly (string | null)[] {
  return args.flatMap(({ value }, at) => {
    if (value === null || value === undefined) return []
    const equals = value.indexOf('=')
    if (names.includes(value)) return [args[at + 1]?.glob === true ? null : (args[at + 1]?.value ?? null)]
    if (equals !== -1 && names.includes(value.slice(0, equals))) return [value.slice(equals + 1)]
    const short = names.find((name) => /^-\w$/.test(name) && value.startsWith(name) && !value.startsWith('--'))
    return short === undefined ? [] : [value.slice(2)]
  })
}

/** A settings file that a command names. What can't be read is held. */
export async function namedFile(
  path: string | null,
  folder: string,
  reader: ProjectReader,
  finds: Finds,
): Promise<ProjectFile | null> {
  const reading: Reading =
    path === null || path === '-' || path.startsWith('~')
      ? {
          kind: 'opaque',
          why: path?.startsWith('~') ? `\`${path.slice(0, 80)}\` is outside the workspace` : 'they are not known',
        }
      : await reader.read(path, folder)
  if (reading.kind === 'file') return reading
  if (reading.kind === 'opaque') finds.held.push(reading.why)
  return null
}

/** The settings of a file; an invalid one is opaque. */
export function readSettings(file: ProjectFile, finds: Finds): readonly Setting[] {
  const settings = settingsIn(file)
  if (settings === null) finds.opaque.push(`\`${file.shown}\` is not valid YAML or JSON, or too large`)
  return settings ?? []
}
