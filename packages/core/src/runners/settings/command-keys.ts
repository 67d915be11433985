import { COMMAND_KEYS } from '../../knowledge/compiled/runners.ts'
import type { CommandKeysRow } from '../../knowledge/runners.ts'
import type { ProjectFile } from '../reading/project-reader.ts'
import { Finds, placeIn, type Runner } from '../reading/runner.ts'
import { isAtKey, namedFile, optionValues, readSettings } from './settings-file.ts'

const BY_NAME: ReadonlyMap<string, CommandKeysRow> = new Map(
  COMMAND_KEYS.rows.flatMap((row) => row.names.map((name) => [name, row] as const)),
)

/** The programs whose settings have commands in them. */
export const COMMAND_KEY_PROGRAMS: readonly string[] = [...BY_NAME.keys()]

/** A program that runs the commands in a settings file of the project. */
export const seeCommandKeys: Runner = async ({ part, program, folder, reader }) => {
  const row = BY_NAME.get(program)
  if (row === undefined) return null
  if (row.verbs !== undefined && !part.args.some(({ value }) => value !== null && row.verbs?.includes(value)))
    return null
  const finds = new Finds()
  if (row.opaque !== undefined) finds.opaque.push(`${program} ${row.opaque}`)
  const named = optionValues(part.args, row.options ?? [])
  const files: ProjectFile[] = []
  for (const path of named) {
    const file = await namedFile(path, folder, reader, finds)
    if (file !== null) files.push(file)
  }
  for (const name of named.length === 0 ? row.files : []) {
    const reading = await reader.read(name, folder)
    if (reading.kind === 'opaque') finds.opaque.push(reading.why)
    if (reading.kind !== 'file') continue
    files.push(reading)
    break
  }
  for (const file of files)
    for (const setting of readSettings(file, finds))
      if (row.keys.some((key) => isAtKey(setting.path, key)) && setting.value !== '')
        finds.runs.push({ code: setting.value, origin: placeIn(file, setting.line), cwd: part.cwd })
  if (files.length === 0) finds.opaque.push(`the settings of ${program} are not in this folder`)
  return finds
}
