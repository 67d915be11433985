import { COMMAND_FILES } from '../../knowledge/compiled/runners.ts'
import type { CommandFileRow } from '../../knowledge/runners.ts'
import type { ProjectFile, ProjectReader } from '../reading/project-reader.ts'
import { placeIn, type Runner, SettingsFinds } from '../reading/runner.ts'
import { namedFile, optionValues } from './settings-file.ts'

const BY_NAME: ReadonlyMap<string, CommandFileRow> = new Map(
  COMMAND_FILES.rows.flatMap((row) => row.names.map((name) => [name, row] as const)),
)

/** The programs that take their own commands from a file. */
export const COMMAND_FILE_PROGRAMS: readonly string[] = [...BY_NAME.keys()]

/** A debugger or terminal multiplexer with a file of its commands: each line as if it were on the command line. */
export const seeCommandFile: Runner = async ({ part, program, folder, reader }) => {
  const row = BY_NAME.get(program)
  if (row === undefined) return null
  const finds = new SettingsFinds()
  const waiting: ProjectFile[] = []
  const loads = row.loads === undefined ? null : new RegExp(row.loads)
  const sourced = part.args.flatMap(({ value }) => (value === null ? [] : (loads?.exec(value)?.[1] ?? [])))
  for (const path of [...optionValues(part.args, row.options), ...sourced]) {
    const file = path === '/dev/null' ? null : await namedFile(path, folder, reader, finds)
    if (file !== null) waiting.push(file)
  }
  for (const name of row.startup ?? []) {
    const reading = await reader.read(name, folder)
    if (reading.kind === 'file') waiting.push(reading)
    if (reading.kind === 'opaque') finds.held.push(reading.why)
  }
  if (waiting.length === 0 && finds.held.length === 0) return null
  const known = new Set<string>()
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    if (known.has(file.real)) continue
    known.add(file.real)
    if (file.shown.endsWith('.py')) finds.held.push(`\`${file.shown}\` is code that is not analyzed`)
    else waiting.push(...(await addLines(file, row, part.cwd, { folder, reader, finds })))
  }
  return finds
}

interface Place {
  readonly folder: string
  readonly reader: ProjectReader
  readonly finds: SettingsFinds
}

/** Adds the lines that run something; returns the files that it loads. */
async function addLines(
  file: ProjectFile,
  { as, matters, blocks, loads }: CommandFileRow,
  cwd: string | null,
  { folder, reader, finds }: Place,
): Promise<readonly ProjectFile[]> {
  const loaded: ProjectFile[] = []
  const isRunning = new RegExp(matters)
  for (const [at, whole] of file.text.split('\n').entries()) {
    const line = whole.trim()
    const origin = placeIn(file, at + 1)
    const other = loads === undefined ? null : new RegExp(loads).exec(line)
    if (blocks !== undefined && new RegExp(blocks).test(line))
      finds.held.push(`\`${file.shown}:${origin.line}\` is code that is not analyzed`)
    else if (other !== null) {
      const next = await namedFile(other[1] ?? null, folder, reader, finds)
      if (next !== null) loaded.push(next)
    } else if (isRunning.test(line)) {
      const code = as.endsWith(' LINE') ? [...as.split(' ').slice(0, -1), line] : `${as} ${line}`
      finds.runs.push({ code, origin, cwd, text: line })
    }
  }
  return loaded
}
