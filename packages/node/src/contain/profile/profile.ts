import { dirname, sep } from 'node:path'
import type { Bounds } from '@countersign/core'
import type { GitFolder } from '../workspace/git-folders.ts'
import type { Scan } from '../workspace/scan-workspace.ts'
import { isWithin, type VisibleFiles } from './visible-files.ts'

/** The most memory that each private folder may hold. */
const TEMPORARY_BYTES = 1 << 30
const SMALL_BYTES = 64 << 20

/** Everything that decides what a contained command sees. All paths are real. */
export interface Plan {
  readonly bounds: Bounds
  readonly workspace: string
  readonly home: string
  /** The gate's home, hidden wherever it is. */
  readonly gate: string
  readonly visible: VisibleFiles
  readonly git: GitFolder | null
  /** Of every folder the command may write, and of the workspace. */
  readonly scans: readonly Scan[]
  /** The folder that takes the place of `~/.cache`, and what else of the home leads into it; null for none. */
  readonly cache: { readonly source: string; readonly links: readonly string[] } | null
  /** Settings of git for the home; null for none. */
  readonly gitConfig: string | null
  /** More that is mounted last, such as the socket of the proxy. */
  readonly mounts: readonly (readonly string[])[]
}

/** Bubblewrap's arguments for a plan: namespaces, then mounts in order, since a later one covers an earlier one. */
export function profileArguments(plan: Plan): readonly string[] {
  return [
    ...['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session'],
    ...['--cap-drop', 'ALL'],
    ...privateFolders(plan),
    ...systemFiles(plan.visible),
    ...homeFiles(plan),
    ...projectFiles(plan),
    ...plan.mounts.flat(),
    // SECURITY: without this a command run by root could write /proc/sys, and so the whole machine's settings.
    ...['--remount-ro', '/proc', '--remount-ro', '/dev', '--remount-ro', '/'],
  ]
}

function privateFolders({ home }: Plan): readonly string[] {
  const folders = [
    { path: '/var', bytes: SMALL_BYTES, mode: '0755' },
    { path: '/run', bytes: SMALL_BYTES, mode: '0755' },
    { path: '/tmp', bytes: TEMPORARY_BYTES, mode: '1777' },
    { path: '/var/tmp', bytes: TEMPORARY_BYTES, mode: '1777' },
    { path: home, bytes: TEMPORARY_BYTES, mode: '0700' },
  ]
  const byDepth = folders.filter(({ path }) => path !== sep).sort((a, b) => depth(a.path) - depth(b.path))
  return [
    ...['--proc', '/proc', '--dev', '/dev', '--perms', '1777', '--size', `${TEMPORARY_BYTES}`, '--tmpfs', '/dev/shm'],
    ...byDepth.flatMap(({ path, bytes, mode }) => ['--perms', mode, '--size', `${bytes}`, '--tmpfs', path]),
  ]
}

function systemFiles({ folders, links, masked }: VisibleFiles): readonly string[] {
  return [
    ...folders.flatMap((path) => ['--ro-bind', path, path]),
    ...links.flatMap(({ path, target }) => ['--symlink', target, path]),
    ...masked.flatMap(({ path, is }) => hide(path, is)),
  ]
}

function hide(path: string, is: 'file' | 'folder'): readonly string[] {
  return is === 'file' ? ['--ro-bind', '/dev/null', path] : ['--perms', '0000', '--tmpfs', path, '--remount-ro', path]
}

function homeFiles({ home, visible, cache, gitConfig }: Plan): readonly string[] {
  return [
    ...(cache === null ? [] : ['--bind', cache.source, `${home}/.cache`]),
    ...(cache?.links ?? []).flatMap((name) => ['--symlink', `${home}/.cache/${flat(name)}`, `${home}/${name}`]),
    ...visible.home.flatMap((path) => ['--ro-bind', path, path]),
    ...(gitConfig === null ? [] : ['--ro-bind', gitConfig, `${home}/.gitconfig`]),
  ]
}

/** The folder in the cache that `.local/share/pnpm/store` leads to. */
export function flat(name: string): string {
  return `countersign${name.replaceAll('/', '-').replace(/^\.?/, '-')}`
}

/** A folder or file of the person's that is mounted on itself. */
export interface Mount {
  readonly path: string
  readonly how: '--bind' | '--ro-bind'
}

/** What a command sees of the person's files, each mounted on itself, in order. */
export function projectMounts(plan: Plan): readonly Mount[] {
  const granted = grantedMounts(plan)
  const written = granted.filter(({ how }) => how === '--bind').map(({ path }) => path)
  const isWritten = (path: string): boolean => written.some((root) => isWithin(path, root))
  const of = (pick: (scan: Scan) => readonly string[]): readonly string[] => plan.scans.flatMap(pick).filter(isWritten)
  const guarded = of((scan) => scan.guarded).map((path): Mount => ({ path, how: '--ro-bind' }))
  const pins = new Set(
    plan.scans.flatMap(({ root, guarded, secrets }) =>
      [...guarded, ...secrets].filter(isWritten).flatMap((path) => ancestors(path, root)),
    ),
  )
  for (const root of written.filter((path) => isWithin(plan.gate, path)))
    for (const path of ancestors(plan.gate, root)) pins.add(path)
  const shared = plan.scans.flatMap((scan) => scan.shared).map((path): Mount => ({ path, how: '--ro-bind' }))
  const pinned = [...pins].map((path): Mount => ({ path, how: '--bind' }))
  return [...byDepth(granted), ...byDepth([...pinned, ...shared, ...guarded])]
}

function grantedMounts(plan: Plan): readonly Mount[] {
  const { bounds, workspace } = plan
  return [
    ...(plan.git?.kind === 'around' ? [{ path: plan.git.top, how: '--ro-bind' as const }] : []),
    ...bounds.read.filter((path) => !isWithin(path, workspace)).map((path) => ({ path, how: '--ro-bind' as const })),
    { path: workspace, how: bounds.workspace === 'write' ? '--bind' : '--ro-bind' },
    ...bounds.write.map((path) => ({ path, how: '--bind' as const })),
    ...gitMounts(plan),
  ]
}

function projectFiles(plan: Plan): readonly string[] {
  const { bounds, gate, scans } = plan
  const isGateSeen = grantedMounts(plan).some(({ path }) => isWithin(gate, path))
  const hidden = [
    ...(bounds.credentials.includes('project') ? [] : scans.flatMap((scan) => scan.secrets)),
    ...scans.flatMap((scan) => scan.channels),
  ]
  return [
    ...projectMounts(plan).flatMap(({ path, how }) => [how, path, path]),
    ...hidden.flatMap((path) => hide(path, 'file')),
    ...(isGateSeen ? hide(gate, 'folder') : []),
  ]
}

/** The parts of a repository outside the workspace that git writes, without those that it runs. */
function gitMounts({ git, bounds }: Plan): readonly Mount[] {
  if (git === null || git.kind === 'around') return []
  const how = bounds.workspace === 'write' ? '--bind' : '--ro-bind'
  if (git.kind === 'submodule') return [{ path: git.own, how }]
  return [
    { path: git.common, how },
    { path: `${git.common}/worktrees`, how: '--ro-bind' },
    { path: git.own, how },
  ]
}

/** The folders between a path and the root above it. Each is mounted on itself: a mount cannot be renamed. */
function ancestors(path: string, root: string): readonly string[] {
  const found: string[] = []
  for (let at = dirname(path); at !== root && isWithin(at, root); at = dirname(at)) found.push(at)
  return found
}

/** Parents first; among equals the later one wins. */
function byDepth(mounts: readonly Mount[]): readonly Mount[] {
  return mounts.toSorted((a, b) => depth(a.path) - depth(b.path))
}

function depth(path: string): number {
  return path.split(sep).length
}
