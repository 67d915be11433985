import type { CommandPart, RepositoryChanges } from '../../command/model/decomposition.ts'
import type { ProjectReader } from '../reading/project-reader.ts'
import type { Repository } from './git-repository.ts'
import { gitStates } from './git-states.ts'
import { findUse, type GitWords, readGitWords } from './git-words.ts'

/**
 * What a git command changes, if it is a use that is known word by word: only the repository's own data, and files of the
 * workspace that its words name. Null if that can’t be told.
 */
export async function gitChanges(
  asked: GitWords,
  repository: Repository,
  reader: ProjectReader,
  parts: readonly CommandPart[],
): Promise<RepositoryChanges | null> {
  const use = findUse(asked)
  const folder = use === null ? null : await reader.resolve('.', asked.folder)
  if (use === null || folder === null || !(await isComplete(repository, reader))) return null
  // After a `cd` that fails, git would start in another folder.
  if ((await reader.changedType(folder)) !== 'directory') return null
  if (use.states !== undefined) {
    const written = await gitStates(parts, folder, repository, reader)
    return written === null ? null : { folder, stages: [], writes: written }
  }
  const writes = use.words === 'moves' ? await movesTo(use.named, folder, reader) : []
  if (writes === null) return null
  if (use.stages === undefined) return { folder, stages: [], writes }
  // Which files are staged depends on the folder that git works in.
  if (asked.repository !== null) return null
  const paths = use.stages === 'changed' ? [] : pathsBelow(use.named, folder, repository.top)
  if (paths === null) return null
  const { options } = use
  const isAll = use.stages === 'changed' || options.has('-A') || options.has('--all')
  const isTracked = use.stages === 'changed' || options.has('-u') || options.has('--update')
  if (paths.length === 0 && !isAll && !isTracked) return { folder, stages: [], writes }
  const isForced = options.has('-f') || options.has('--force') || !parts.every(leavesIgnored)
  const untracked = isTracked && !isAll ? 'none' : use.stages === 'changed' ? 'none' : isForced ? 'ignored' : 'new'
  const stages = await reader.pending(repository.top, { paths, untracked })
  // A folder with a repository of its own is listed with a slash: git would obey the settings in it.
  if (stages === null || stages.some((path) => path.endsWith('/'))) return null
  return { folder, stages: stages.map((path) => `${repository.top}/${path}`), writes }
}

/** Verbs after which the same files are ignored as before. */
const SAME_FILES: ReadonlySet<string> = new Set([
  'add',
  'stage',
  'commit',
  'status',
  'log',
  'diff',
  'show',
  'tag',
  'branch',
])
/** Programs that write only what a redirection names. */
const PRINTS: ReadonlySet<string> = new Set(['cd', 'echo', 'printf', 'cat', 'ls', 'mkdir', 'test', 'true'])

/** Whether a part of the command can’t write a list of ignored files: git would stage others than it lists now. */
function leavesIgnored({ program, args, redirections, origin }: CommandPart): boolean {
  if (origin !== undefined || redirections.some(({ target }) => target === null || /ignore/i.test(target))) return false
  if (program !== 'git') return PRINTS.has(program ?? '')
  const words = readGitWords(args, '')
  if (words === null) return false
  const use = words.verb === 'checkout' ? findUse(words) : null
  // `git checkout HEAD` writes nothing.
  return SAME_FILES.has(words.verb) || (use?.states === 'switch' && use.named[0] === 'HEAD')
}

/** Whether git takes the folder for a repository. Otherwise it looks for another one above. */
export async function isComplete({ folder, own }: Repository, reader: ProjectReader): Promise<boolean> {
  if ((await reader.typeOf(`${own}/HEAD`)) !== 'file') return false
  const types = [await reader.typeOf(`${folder}/objects`), await reader.typeOf(`${folder}/refs`)]
  return types.every((type) => type === 'directory')
}

/** Where plain files are moved to; null if that can’t be told, as for what is in a moved folder. */
async function movesTo(
  named: readonly string[],
  folder: string,
  reader: ProjectReader,
): Promise<readonly string[] | null> {
  const from = named.slice(0, -1).map((path) => absolute(path, folder))
  const to = named.at(-1)
  if (to === undefined || from.length === 0) return null
  for (const path of from) if ((await reader.changedType(path)) !== 'file') return null
  const at = absolute(to, folder)
  const type = await reader.changedType(at)
  const real = await reader.resolve(to, folder)
  if (real === null || (type !== 'directory' && type !== 'absent' && type !== 'file')) return null
  // Another part of the command may make a folder of that name first.
  return [real, ...from.map((path) => `${real}${path.slice(path.lastIndexOf('/'))}`)]
}

/** The words as paths from the top of the repository; null if one is outside. */
function pathsBelow(named: readonly string[], folder: string, top: string): readonly string[] | null {
  const paths: string[] = []
  for (const word of named) {
    const path = absolute(word, folder)
    if (path !== top && !path.startsWith(`${top}/`)) return null
    paths.push(path === top ? '.' : path.slice(top.length + 1))
  }
  return paths
}

function absolute(path: string, folder: string): string {
  const names: string[] = []
  for (const name of (path.startsWith('/') ? path : `${folder}/${path}`).split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return `/${names.join('/')}`
}
