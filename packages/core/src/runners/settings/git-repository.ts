import type { ProjectFile, ProjectReader } from '../reading/project-reader.ts'

const MAX_UP = 32
const BORROWED = { why: '`commondir` takes the settings from another folder' }

/** A repository of the workspace. */
export interface Repository {
  /** The `.git` folder, with settings and hooks. */
  readonly folder: string
  /** The same, or the folder of a linked worktree with its own settings. */
  readonly own: string
  /** The folder that git works in. */
  readonly top: string
  readonly config: ProjectFile
}

/** The repository that git would find: `.git` in this folder or above, or the folder itself if it looks like one. */
export async function findRepository(
  { folder, repository }: { readonly folder: string; readonly repository: string | null },
  reader: ProjectReader,
): Promise<Repository | 'outside' | 'none' | { readonly why: string }> {
  if (repository !== null) return repositoryAt(repository, folder, reader)
  let at = await reader.resolve('.', folder)
  if (at === null) return 'outside'
  for (let up = 0; up < MAX_UP && reader.isInside(at); up++) {
    const type = await reader.typeOf(`${at}/.git`)
    if (type === 'directory') return repositoryAt(`${at}/.git`, at, reader)
    if (type !== 'absent') return linkedRepository(at, reader)
    // SECURITY: git takes a folder with these for a repository, whatever its name.
    if ((await reader.typeOf(`${at}/HEAD`)) !== 'absent') {
      if ((await reader.typeOf(`${at}/commondir`)) !== 'absent') return BORROWED
      if ((await reader.typeOf(`${at}/objects`)) !== 'absent') return repositoryAt(at, at, reader)
    }
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
  own?: string,
): Promise<Repository | 'outside' | { why: string }> {
  const folder = await reader.resolve(path, top)
  if (folder === null) return 'outside'
  const config = await reader.read('config', folder)
  // Of a linked worktree, `commondir` was followed before.
  if (own === undefined && (await reader.typeOf(`${folder}/commondir`)) !== 'absent') return BORROWED
  if (config.kind === 'file') return { folder, own: own ?? folder, top, config }
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
  return common === null ? 'outside' : repositoryAt(common, top, reader, folder)
}
