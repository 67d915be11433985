import type { CommandPart } from '../../command/model/decomposition.ts'
import type { ProjectReader } from '../reading/project-reader.ts'
import type { Finds, RunnerInput } from '../reading/runner.ts'
import { type GitSetting, readGitConfig } from './git-config.ts'
import { addHooks, addSetting, readingOf } from './git-programs.ts'
import { findRepository, type Repository } from './git-repository.ts'
import { readGitWords } from './git-words.ts'

/** INVARIANT: L10, how many repositories within one another are read. */
const LIMITS = { repositories: 24, depth: 4, links: 32 } as const

/** Verbs that git runs in a submodule to find out what changed there. */
const ASKED_THERE = ['status', 'diff']

/**
 * Links in the folder of a repository: git follows them, and prints what is wrong in the file that it finds. SECURITY: A28 they
 * may lead to a file with secrets.
 */
export async function addLinks({ folder, own }: Repository, reader: ProjectReader, finds: Finds): Promise<void> {
  const folders = own === folder || own.startsWith(`${folder}/`) ? [folder] : [folder, own]
  for (const at of folders) {
    const found = await reader.links(at)
    if (found === null || found.links.length > LIMITS.links) {
      finds.opaque.push(`\`${reader.shown(at)}\` can’t be searched`)
      continue
    }
    for (const link of found.links) {
      const shown = reader.shown(link)
      if (isReadAnyway(link.slice(at.length + 1))) continue
      const real = await reader.resolve(link, '/')
      const type = real === null ? 'other' : await reader.typeOf(real)
      if (real?.startsWith(`${folder}/`) === true) continue
      if (type === 'directory') finds.opaque.push(`\`${shown}\` leads to another folder`)
      else if (type !== 'absent') finds.runs.push(readingOf(link, { file: shown, line: 1 }, at))
    }
  }
}

/** Hooks and settings are read for what they run. */
function isReadAnyway(path: string): boolean {
  return /^(?:hooks\/[^/]+|config|config\.worktree)$/.test(path)
}

/** What the settings and hooks of the repositories in this one make git run: of submodules, and of others in the index. */
export async function addInner(
  repository: Repository,
  verb: string,
  from: Pick<RunnerInput, 'reader' | 'bins'>,
  finds: Finds,
): Promise<void> {
  const { reader } = from
  const waiting = [{ repository, depth: 0 }]
  let count = 0
  for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
    const { top, own } = one.repository
    const named = (await reader.links(own))?.repositories
    if (named === undefined) return void finds.opaque.push('the submodules can’t be listed')
    for (const path of named) {
      const at = `${top}/${path}`
      if ((await reader.typeOf(`${at}/.git`)) === 'absent') continue
      if (++count > LIMITS.repositories || one.depth >= LIMITS.depth)
        return void finds.opaque.push('it has more submodules than are read')
      const inner = await findRepository({ folder: at, repository: null }, reader)
      if (typeof inner === 'string' || 'why' in inner) finds.opaque.push(`the repository in \`${path}\` can’t be read`)
      else {
        await addSettings(inner, [...ASKED_THERE, verb], from, finds)
        waiting.push({ repository: inner, depth: one.depth + 1 })
      }
    }
  }
}

async function addSettings(
  repository: Repository,
  verbs: readonly string[],
  from: Pick<RunnerInput, 'reader' | 'bins'>,
  finds: Finds,
): Promise<void> {
  const { reader } = from
  const { settings, opaque } = await readGitConfig(repository.config, (path, at) => reader.read(path, at))
  finds.opaque.push(...opaque)
  if ((await reader.read('config.worktree', repository.own)).kind !== 'absent')
    finds.opaque.push(`\`${reader.shown(repository.own)}\` has its own settings`)
  for (const setting of settings) {
    if (setting.name === 'core.worktree' && (await isOwnTop(setting, repository, reader))) continue
    addSetting(setting, verbs, repository.top, finds)
  }
  await addHooks(settings, verbs, repository, from, finds)
  await addLinks(repository, reader, finds)
}

/** Whether a setting names the folder in which the repository was found, as git writes it for a submodule. */
export async function isOwnTop(
  { value }: GitSetting,
  { folder, top }: Repository,
  reader: ProjectReader,
): Promise<boolean> {
  const real = await reader.resolve(value, folder)
  return real !== null && real === (await reader.resolve('.', top))
}

/** A commit that git can’t mistake for the current one. */
const CURRENT = /^(?:HEAD|@)$/

/** Whether another part of the command may put repositories into the index that it does not name now. */
export async function mayNameMore(
  part: CommandPart,
  parts: readonly CommandPart[],
  folder: string,
  reader: ProjectReader,
): Promise<boolean> {
  for (const other of parts) {
    if (other === part || other.program !== 'git') continue
    const words = readGitWords(other.args, folder)
    if (words === null || words.verb !== 'reset' || words.rest.some(({ value }) => value === '--soft')) continue
    for (const { value } of words.rest) {
      if (value === '--') break
      if (value === null) return true
      if (value.startsWith('-') || CURRENT.test(value)) continue
      if ((await reader.changedType(`${words.folder}/${value}`)) === 'absent') return true
    }
  }
  return false
}
