import type { CommandWord } from '../../command/model/decomposition.ts'
import { GIT_SETTINGS } from '../../knowledge/compiled/runners.ts'
import type { GitHookRow, GitProgramRow } from '../../knowledge/runners.ts'
import type { ProjectFile, ProjectReader } from '../reading/project-reader.ts'
import { type Finds, type Runner, SettingsFinds, unclear } from '../reading/runner.ts'
import { seeScript } from '../scripts/script-file.ts'
import { type GitSetting, readGitConfig } from './git-config.ts'

const MAX_UP = 32
/** Options before the verb that change nothing about which programs run. */
const FLAGS =
  /^(?:-p|--paginate|-P|--no-pager|--no-replace-objects|--bare|--literal-pathspecs|--no-optional-locks|--no-lazy-fetch|--version|-v|--help|-h)$/

interface Asked {
  readonly folder: string
  readonly repository: string | null
  readonly verb: string
  readonly rest: readonly CommandWord[]
}

/** git: the programs that the settings and hooks of a repository make it run. */
export const seeGit: Runner = async ({ part, folder, reader }) => {
  if (part.assignments.some(({ name }) => name.startsWith('GIT_')))
    return unclear('a variable changes the settings of git')
  const asked = readWords(part.args, folder)
  if (asked === null) return unclear('git gets settings from the command line, or words that are not known')
  if (asked.verb === '') return null
  const found = await findRepository(asked, reader)
  if (found === 'outside') return unclear('the repository is outside the workspace')
  if (found === 'none') return new SettingsFinds()
  if ('why' in found) return unclear(found.why)
  const { settings, opaque } = await readGitConfig(found.config, reader)
  const finds = new SettingsFinds()
  finds.opaque.push(...opaque)
  if (settings.some(({ name }) => name === 'extensions.worktreeconfig')) {
    const more = await reader.read('config.worktree', found.folder)
    if (more.kind !== 'absent') finds.opaque.push('the worktree has settings of its own')
  }
  for (const setting of settings) addSetting(setting, asked, found.top, finds)
  await addHooks(settings, asked, found, reader, finds)
  return finds
}

/** A program that a setting names, if this verb can run it. */
function addSetting({ name, value, origin }: GitSetting, { verb, rest }: Asked, cwd: string, finds: Finds): void {
  if (name === `alias.${verb}`) {
    const words = rest.flatMap(({ value: word }) => (word === null ? [] : [word]))
    const code = value.startsWith('!') ? value.slice(1) : `git ${value}`
    finds.runs.push({
      code: [code, ...words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`)].join(' '),
      origin,
      cwd,
    })
    return
  }
  const plain = name.replace(/^(\w+)\..*\.(\w+)$/s, '$1.*.$2')
  const row: GitProgramRow | undefined = GIT_SETTINGS.programs.find(({ names }) => names.includes(plain))
  if (row === undefined || (row.verbs !== undefined && !row.verbs.includes(verb))) return
  if (/^(?:true|false|yes|no|on|off|0|1|)$/i.test(value)) return
  if (row.refused === true) finds.opaque.push(`\`${origin.file}:${origin.line}\` sets ${plain}`)
  else finds.runs.push({ code: value.replace(/^!/, ''), origin, cwd })
}

async function addHooks(
  settings: readonly GitSetting[],
  { verb }: Asked,
  { folder, top }: Repository,
  reader: ProjectReader,
  finds: Finds,
): Promise<void> {
  const rows: readonly GitHookRow[] = GIT_SETTINGS.hooks
  const hooks = rows.filter(({ verbs }) => verbs.includes(verb)).flatMap(({ names }) => names)
  if (hooks.length === 0) return
  const set = settings.findLast(({ name }) => name === 'core.hookspath')
  const path = set === undefined ? `${folder}/hooks` : set.value
  const at = await reader.resolve(path, top)
  if (at === null) return void finds.opaque.push(`the hooks are outside the workspace: \`${path.slice(0, 80)}\``)
  for (const name of new Set(hooks)) {
    const reading = await reader.read(name, at)
    if (reading.kind === 'absent') continue
    if (reading.kind === 'opaque') finds.opaque.push(reading.why)
    else finds.add(await seeScript(reading, top, reader))
  }
}

interface Repository {
  /** The `.git` folder. */
  readonly folder: string
  /** The folder that git works in. */
  readonly top: string
  readonly config: ProjectFile
}

/** The repository that git would find: `.git` in this folder or above, or the folder itself if it looks like one. */
async function findRepository(
  { folder, repository }: Asked,
  reader: ProjectReader,
): Promise<Repository | 'outside' | 'none' | { readonly why: string }> {
  if (repository !== null) return repositoryAt(repository, folder, reader)
  let at = await reader.resolve('.', folder)
  if (at === null) return 'outside'
  for (let up = 0; up < MAX_UP && reader.isInside(at); up++) {
    const type = await reader.typeOf(`${at}/.git`)
    if (type === 'directory') return repositoryAt(`${at}/.git`, at, reader)
    if (type !== 'absent') return linkedRepository(at, reader)
    // SECURITY: git takes a folder with these three for a repository, whatever its name.
    const isBare =
      (await reader.typeOf(`${at}/HEAD`)) !== 'absent' && (await reader.typeOf(`${at}/objects`)) === 'directory'
    if (isBare) return repositoryAt(at, at, reader)
    at = at.slice(0, at.lastIndexOf('/'))
  }
  for (let up = 0; up < MAX_UP && at !== ''; up++) {
    if ((await reader.typeOf(`${at}/.git`)) !== 'absent') return 'outside'
    at = at.slice(0, at.lastIndexOf('/'))
  }
  return 'none'
}

async function repositoryAt(
  path: string,
  top: string,
  reader: ProjectReader,
): Promise<Repository | 'outside' | { why: string }> {
  const folder = await reader.resolve(path, top)
  if (folder === null) return 'outside'
  const config = await reader.read('config', folder)
  if (config.kind === 'file') return { folder, top, config }
  return { why: config.kind === 'opaque' ? config.why : `\`${reader.shown(folder)}\` is not a repository` }
}

/** A `.git` file names the repository: of a linked worktree, or of a submodule. */
async function linkedRepository(top: string, reader: ProjectReader): Promise<Repository | 'outside' | { why: string }> {
  const file = await reader.read('.git', top)
  const path = file.kind === 'file' ? /^gitdir:\s*(.*?)\s*$/m.exec(file.text)?.[1] : undefined
  if (path === undefined) return { why: '`.git` can’t be read' }
  const folder = await reader.resolve(path, top)
  if (folder === null) return 'outside'
  const shared = await reader.read('commondir', folder)
  const common = shared.kind === 'file' ? await reader.resolve(shared.text.trim(), folder) : folder
  return common === null ? 'outside' : repositoryAt(common, top, reader)
}

function readWords(args: readonly CommandWord[], start: string): Asked | null {
  let folder = start
  let repository: string | null = null
  for (let at = 0; at < args.length; at++) {
    const value = args[at]?.value ?? null
    if (value === null || args[at]?.glob === true) return null
    if (!value.startsWith('-')) return { folder, repository, verb: value, rest: args.slice(at + 1) }
    const dir = /^--git-dir(?:=(.*))?$/.exec(value)
    if (value === '-C') {
      const to = args[++at]?.value ?? null
      if (to === null) return null
      folder = to.startsWith('/') ? to : `${folder}/${to}`
    } else if (dir !== null) {
      repository = dir[1] ?? args[++at]?.value ?? null
      if (repository === null) return null
    } else if (!FLAGS.test(value)) return null
  }
  return { folder, repository, verb: '', rest: [] }
}
