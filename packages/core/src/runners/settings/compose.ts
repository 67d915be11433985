import type { CommandWord } from '../../command/model/decomposition.ts'
import { COMPOSE } from '../../knowledge/compiled/runners.ts'
import type { ComposeKeyRow } from '../../knowledge/runners.ts'
import type { ProjectFile, ProjectReader } from '../reading/project-reader.ts'
import { placeIn, type Runner, SettingsFinds } from '../reading/runner.ts'
import { namedFile, optionValues, readSettings } from './settings-file.ts'
import type { Setting } from './yaml-values.ts'

const MAX_UP = 32
const VALUED =
  /^(?:-f|--file|-p|--project-name|--project-directory|--profile|--env-file|--ansi|--progress|--parallel|--workdir|-c|--context|-H|--host|--config|-l|--log-level)$/

/** `docker compose`, `docker-compose`: by the power over the host that the services get. */
export const seeCompose: Runner = async ({ part, program, folder, reader }) => {
  const isPlugin = !program.includes('compose')
  const from = isPlugin ? part.args.findIndex(({ value }) => value === 'compose') : -1
  if (isPlugin && from === -1) return null
  const { options, verb } = splitAtVerb(part.args.slice(from + 1))
  if (verb === null || !COMPOSE.starts.has(verb)) return null
  const finds = new SettingsFinds()
  const base = optionValues(options, ['--project-directory', '--workdir'])[0] ?? folder
  const at = base.startsWith('/') ? base : `${folder}/${base}`
  const variable = part.assignments.filter(({ name }) => name === 'COMPOSE_FILE')
  const named = [
    ...optionValues(options, ['-f', '--file']),
    ...variable.flatMap(({ value }) => value?.split(':') ?? [null]),
  ]
  const files: ProjectFile[] = []
  for (const path of named) {
    const file = await namedFile(path, folder, reader, finds)
    if (file !== null) files.push(file)
  }
  if (named.length === 0) files.push(...(await foundFiles(at, reader, finds)))
  for (const file of files) addServices(file, finds)
  return finds
}

function splitAtVerb(args: readonly CommandWord[]): {
  readonly options: readonly CommandWord[]
  readonly verb: string | null
} {
  for (let at = 0; at < args.length; at++) {
    const value = args[at]?.value ?? null
    if (value === null) return { options: args, verb: null }
    if (VALUED.test(value)) at++
    else if (!value.startsWith('-')) return { options: args.slice(0, at), verb: value }
  }
  return { options: args, verb: null }
}

/** The files that compose finds in a folder, or else above it. */
async function foundFiles(
  folder: string,
  reader: ProjectReader,
  finds: SettingsFinds,
): Promise<readonly ProjectFile[]> {
  let at = await reader.resolve('.', folder)
  if (at === null) finds.held.push('the folder is outside the workspace')
  for (let up = 0; at !== null && up < MAX_UP && reader.isInside(at); up++) {
    const files: ProjectFile[] = []
    for (const name of [...COMPOSE.files, ...COMPOSE.overrides]) {
      const reading = await reader.read(name, at)
      if (reading.kind === 'opaque') finds.held.push(reading.why)
      if (reading.kind === 'file') files.push(reading)
    }
    const variables = await reader.read('.env', at)
    if (variables.kind === 'file' && /^\s*(?:export\s+)?COMPOSE_FILE\s*=/m.test(variables.text))
      finds.held.push('`.env` sets COMPOSE_FILE')
    if (files.length > 0) return files
    at = at.slice(0, at.lastIndexOf('/'))
  }
  return []
}

/** Each power as the `docker run` with the same effect, at its line. */
function addServices(file: ProjectFile, finds: SettingsFinds): void {
  const folder = file.real.slice(0, file.real.lastIndexOf('/'))
  const settings = readSettings(file, finds)
  for (const setting of settings) {
    const [top, , key = '', ...rest] = setting.path
    if (top === 'include' || (top === 'services' && key === 'extends' && rest.at(-1) === 'file'))
      finds.opaque.push(`\`${file.shown}:${setting.line}\` loads another file`)
    if (top === 'services' && key === 'provider' && rest[0] === 'type')
      finds.held.push(`\`${file.shown}:${setting.line}\` starts the provider \`${setting.value.slice(0, 40)}\``)
    const given =
      top === 'services' ? powerOf(setting, key, rest, settings) : top === 'volumes' ? deviceOf(setting) : null
    if (given === null) continue
    const words = given.map(inserted)
    const known = words.filter((word) => word !== null)
    if (known.length < words.length) finds.opaque.push(`\`${file.shown}:${setting.line}\` depends on a variable`)
    else
      finds.runs.push({
        code: ['docker', 'run', '--pull=never', ...known, 'image'],
        origin: placeIn(file, setting.line),
        cwd: folder,
        text: `${key === '' ? 'device' : key}: ${setting.value}`,
      })
  }
}

function powerOf(
  { value, path }: Setting,
  key: string,
  rest: readonly string[],
  all: readonly Setting[],
): readonly string[] | null {
  if (key === 'use_api_socket' && value === 'true') return ['-v', '/var/run/docker.sock:/var/run/docker.sock']
  if (key === 'volumes') {
    if (rest.length > 1) {
      const readOnly = [...path.slice(0, -1), 'read_only'].join('\0')
      const mode = all.some((one) => one.value === 'true' && one.path.join('\0') === readOnly) ? ':ro' : ''
      return rest[1] === 'source' && isPath(value) ? ['-v', `${value}:/mount${mode}`] : null
    }
    return isPath(value) && value.includes(':') ? ['-v', value] : null
  }
  const row: ComposeKeyRow | undefined = COMPOSE.services.find((one) => one.key === key)
  if (row === undefined || (row.matches !== undefined && !new RegExp(row.matches).test(value))) return null
  switch (row.values) {
    case 'true':
      return /^(?:true|yes|on)$|\$/i.test(value) ? [row.option] : null
    case 'host':
      return value === 'host' ? [`${row.option}=host`] : null
    case 'each':
      return rest.length === 1 || rest[1] === 'source' ? [`${row.option}=${value}`] : null
  }
}

/** A named volume that is a folder of the host. */
function deviceOf({ path, value }: Setting): readonly string[] | null {
  return path[2] === 'driver_opts' && path[3] === 'device' && isPath(value) ? ['-v', `${value}:/mount`] : null
}

/** A folder of the host outside the project: not the name of a volume. */
function isPath(value: string): boolean {
  return /^[/~$]|^\.\.|\/\.\.(?:\/|:|$)/.test(value)
}

/** A value with the defaults of its variables; null if one has none. */
function inserted(value: string): string | null {
  const known = value
    .replace(/\$\{?PWD\}?/g, '.')
    .replace(/\$\{?HOME\}?/g, '~')
    .replace(/\$\{\w+:?-([^${}]*)\}/g, '$1')
  return known.includes('$') ? null : known
}
