import type { RepositoryChanges } from '../../command/model/decomposition.ts'
import { GIT_SETTINGS } from '../../knowledge/compiled/runners.ts'
import type { ProjectReader } from '../reading/project-reader.ts'
import { type Finds, type Runner, SettingsFinds, unclear } from '../reading/runner.ts'
import { gitChanges } from './git-changes.ts'
import { type GitSetting, readGitConfig } from './git-config.ts'
import { addInner, addLinks, isOwnTop, mayNameMore } from './git-inner.ts'
import { gitListing } from './git-listing.ts'
import { addHooks, addSetting } from './git-programs.ts'
import { gitRemotes } from './git-remote.ts'
import { findRepository } from './git-repository.ts'
import { type GitWords, isHarmlessName, isHarmlessVariable, readGitWords } from './git-words.ts'

/** git: the programs that the settings and hooks of a repository make it run, and what a known use of it changes. */
export const seeGit: Runner = async ({ part, folder, reader, parts, bins }) => {
  if (part.assignments.some((one) => one.name.startsWith('GIT_') && !isHarmlessVariable(one)))
    return unclear('a variable changes the settings of git')
  const asked = readGitWords(part.args, folder)
  if (asked === null) return unclear('git has settings or unknown words on its command line')
  if (asked.verb === '') return null
  const found = await findRepository(asked, reader)
  if (found === 'outside') return unclear('the repository is outside the workspace')
  // Without a repository, both read any files of the folder.
  if (found === 'none' && (asked.verb === 'diff' || asked.verb === 'grep'))
    return unclear(`git ${asked.verb} has no repository here`)
  if (found === 'none') return new SettingsFinds()
  if ('why' in found) return unclear(found.why)
  const { settings, opaque } = await readGitConfig(found.config, (path, from) => reader.read(path, from))
  const finds = new SettingsFinds()
  finds.opaque.push(...opaque)
  const from = { reader, bins }
  await addLinks(found, reader, finds)
  if (!GIT_SETTINGS.apart.has(asked.verb)) {
    if (await mayNameMore(part, parts, folder, reader))
      finds.opaque.push('an earlier reset may bring in another repository')
    await addInner(found, asked.verb, from, finds)
  }
  // SECURITY: A28 links and lists of other stores in it may lead to repositories elsewhere. Nothing writes to `.git` unasked.
  if (!reader.shown(found.folder).split('/').includes('.git'))
    finds.opaque.push('the repository is not in a `.git` folder')
  if (settings.some(({ name }) => name === 'extensions.worktreeconfig')) {
    const more = await reader.read('config.worktree', found.own)
    if (more.kind !== 'absent') finds.opaque.push('the worktree has its own settings')
  }
  // `.` is this repository only if no remote has that name.
  if (settings.some(({ name }) => name.startsWith('remote...'))) finds.opaque.push('a remote is named `.`')
  for (const setting of settings) {
    if (setting.name === 'core.worktree' && (await isOwnTop(setting, found, reader))) continue
    if (!addAlias(setting, asked, found.top, finds)) addSetting(setting, [asked.verb], found.top, finds)
  }
  finds.remotes = gitRemotes(asked, settings, found.top)
  // SECURITY: A28 git itself is asked only about a repository whose settings are all known.
  const isPlain = finds.opaque.length === 0 && settings.every((one) => isHarmless(one) || one.name === 'core.worktree')
  const changes = isPlain ? await gitChanges(asked, found, reader, parts) : null
  if (changes !== null && (await isLeftAlone(changes, reader))) finds.repository = changes
  // Only there the names are words of another command.
  if (isPlain && part.via.at(-1) === '$(…)') finds.listed = (await gitListing(asked, found, reader)) ?? undefined
  await addHooks(settings, [asked.verb], found, from, finds)
  return finds
}

function isHarmless({ name }: GitSetting): boolean {
  // The name of a verb can't be an alias too.
  return isHarmlessName(name) || name.startsWith('alias.')
}

/** Where git finds the settings of a person and of the machine. */
const PERSONS = ['/etc/gitconfig', '~/.config/git/config', '~/.gitconfig']

/**
 * Whether nothing that the person set for every repository takes part in a change: hooks may run files of the workspace, and
 * filters for files that are written may fetch them.
 */
async function isLeftAlone({ writes }: RepositoryChanges, reader: ProjectReader): Promise<boolean> {
  const matters =
    writes.length === 0
      ? /^(?:core\.hookspath$|hook\.|fetch\.|submodule\.)/
      : /^(?:core\.hookspath$|hook\.|filter\.|submodule\.)/
  for (const path of PERSONS) {
    const file = await reader.readPersons(path, '/')
    if (file.kind === 'absent') continue
    if (file.kind === 'opaque') return false
    const { settings, opaque } = await readGitConfig(file, (included, from) => reader.readPersons(included, from))
    if (opaque.length > 0 || settings.some(({ name }) => matters.test(name))) return false
  }
  return true
}

/** What an alias of the verb runs; false if the setting is none. */
function addAlias({ name, value, origin }: GitSetting, { verb, rest }: GitWords, cwd: string, finds: Finds): boolean {
  if (name !== `alias.${verb}` && name !== `alias.${verb}.command`) return false
  const words = rest.flatMap(({ value: word }) => (word === null ? [] : [word]))
  const code = value.startsWith('!') ? value.slice(1) : `git ${value}`
  finds.runs.push({
    code: [code, ...words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`)].join(' '),
    origin,
    cwd,
  })
  return true
}
