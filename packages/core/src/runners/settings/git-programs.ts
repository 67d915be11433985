import { GIT_SETTINGS } from '../../knowledge/compiled/runners.ts'
import type { GitHookRow, GitProgramRow } from '../../knowledge/runners.ts'
import type { Finds, RunnerInput } from '../reading/runner.ts'
import { seeScript } from '../scripts/script-file.ts'
import type { GitSetting } from './git-config.ts'
import type { Repository } from './git-repository.ts'
import { plainName } from './git-words.ts'

/** A path that git takes as it is written, and this machine too. */
const PLAIN_PATH = /^(?![~:%])[^\0\n]+$/

const OFF = /^(?:false|no|off|0|)$/i
const SWITCH = /^(?:true|false|yes|no|on|off|0|1|)$/i

/** A program or file that a setting names, if one of these verbs runs or reads it. */
export function addSetting(
  { name, value, origin }: GitSetting,
  verbs: readonly string[],
  cwd: string,
  finds: Finds,
): void {
  const plain = plainName(name)
  const row: GitProgramRow | undefined = GIT_SETTINGS.programs.find(({ names }) => names.includes(plain))
  if (row === undefined || (row.verbs !== undefined && !row.verbs.some((verb) => verbs.includes(verb)))) return
  if (plain === 'diff.submodule' && /^(?:log|short)$/.test(value)) return
  if (row.file !== true && (row.refused === true ? OFF : SWITCH).test(value)) return
  const isRefused = row.refused === true || (row.file === true && !PLAIN_PATH.test(value))
  if (isRefused) finds.opaque.push(`\`${origin.file}:${origin.line}\` sets ${plain}`)
  else if (row.file === true) finds.runs.push(readingOf(value, origin, cwd))
  else finds.runs.push({ code: value.replace(/^!/, ''), origin, cwd })
}

/** SECURITY: A28 git may print what it reads: as much as showing the file. */
export function readingOf(path: string, origin: Finds['runs'][number]['origin'], cwd: string): Finds['runs'][number] {
  return { code: ['cat', '--', path], origin, cwd, text: `reads ${path}` }
}

/** The hooks that one of these verbs runs. */
export async function addHooks(
  settings: readonly GitSetting[],
  verbs: readonly string[],
  { folder, top }: Repository,
  from: Pick<RunnerInput, 'reader' | 'bins'>,
  finds: Finds,
): Promise<void> {
  const rows: readonly GitHookRow[] = GIT_SETTINGS.hooks
  const hooks = rows.filter((row) => row.verbs.some((verb) => verbs.includes(verb))).flatMap(({ names }) => names)
  if (hooks.length === 0) return
  const set = settings.findLast(({ name }) => name === 'core.hookspath')
  const path = set === undefined ? `${folder}/hooks` : set.value
  const at = await from.reader.resolve(path, top)
  if (at === null)
    return void finds.opaque.push(`the hooks are outside the workspace or can’t be read: \`${path.slice(0, 80)}\``)
  for (const name of new Set(hooks)) {
    const reading = await from.reader.read(name, at)
    if (reading.kind === 'absent') continue
    if (reading.kind === 'opaque') finds.opaque.push(reading.why)
    else finds.add(await seeScript(reading, top, from))
  }
}
