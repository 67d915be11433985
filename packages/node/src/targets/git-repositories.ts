import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Repositories, RepositoryLinks, WorkTreeStates } from '@countersign/core'
import { linksIn, mayNameRepositories } from './repository-links.ts'

/** SECURITY: A7 never through PATH, which may lead into the workspace. */
const PROGRAMS = ['/usr/bin/git', '/usr/local/bin/git', '/opt/homebrew/bin/git', '/run/current-system/sw/bin/git']

/** INVARIANT: L10, a repository with more to list is not looked into. */
const LIMITS = { paths: 5_000 } as const
/** What the list of an index may have. */
const INDEX_BYTES = 64 * 1024 * 1024
const LIMITS_OF_RUN = { timeout: 3_000, maxBuffer: (1024 * 1024) as number, killSignal: 'SIGKILL' } as const

/** Switches off what settings of a repository could run, whatever was read of them before. */
const SETTINGS: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.untrackedCache': 'false',
  'core.attributesFile': '/dev/null',
  'core.excludesFile': '/dev/null',
  'safe.bareRepository': 'explicit',
  'submodule.recurse': 'false',
}

/** Nothing of this process's environment: a variable could name another repository or a program. */
const ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: '/usr/bin:/bin',
  LC_ALL: 'C',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_TERMINAL_PROMPT: '0',
}

/** Asks the git of this machine. */
export function openRepositories(): Repositories {
  return {
    async pending(top, { paths, untracked }) {
      const others = untracked === 'none' ? [] : ['--others', ...(untracked === 'new' ? ['--exclude-standard'] : [])]
      const output = await ask(top, 'ls-files', '-z', '--modified', ...others, '--', ...paths)
      return output === undefined ? undefined : bounded(new Set(output.split('\0')))
    },
    async tracked(top, patterns) {
      const output = await answer(top, ['ls-files', '-z', '--cached', '--', ...patterns])
      return output === undefined ? undefined : bounded(new Set(output.split('\0')))
    },
    between: (top, states) => differences(top, states).catch(() => undefined),
    links: (folder) => lookInto(folder).catch(() => undefined),
  }
}

async function lookInto(folder: string): Promise<RepositoryLinks | undefined> {
  const links = await linksIn(folder)
  if (links === undefined) return undefined
  if (!(await mayNameRepositories(folder))) return { repositories: [], links }
  // Given both, git neither looks for a work tree nor reads which one the settings name.
  const args = [`--git-dir=${folder}`, `--work-tree=${folder}`, 'ls-files', '-z', '--stage']
  const output = await answer(folder, args, INDEX_BYTES)
  if (output === undefined) return undefined
  const repositories = bounded(
    new Set(output.split('\0').flatMap((line) => /^160000 .*?\t(.*)$/s.exec(line)?.[1] ?? [])),
  )
  return repositories === undefined ? undefined : { repositories, links }
}

/** Git gave no answer, or one that rules the states out. */
class Unknown extends Error {}

async function differences(top: string, { switched, merged, stashes }: WorkTreeStates) {
  const head = await commitOf(top, 'HEAD')
  const paths = new Set<string>()
  const other = await Promise.all([...switched, ...merged].map((name) => commitsOf(top, name)))
  if (other.length > 0 && other.flat().length === 0) throw new Unknown()
  for (const commit of new Set(other.flat())) await addChanged(paths, top, ['diff-tree', '-r', head, commit])
  const merges = await Promise.all(merged.map((name) => commitsOf(top, name)))
  for (const commit of merges.flat()) for (const one of [head, ...other.flat()]) await checkLine(top, one, commit)
  await addChanged(paths, top, ['diff-index', head])
  await addChanged(paths, top, ['diff-index', '--cached', head])
  if (stashes.includes('pop')) await addStash(paths, top, head)
  return bounded(paths)
}

/** What the latest stash holds. It must have been made from the current commit, so that nothing is merged. */
async function addStash(paths: Set<string>, top: string, head: string): Promise<void> {
  const stash = await ask(top, 'rev-parse', '--verify', '--quiet', 'refs/stash^{commit}')
  if (stash === undefined) return
  const isClean = (await ask(top, 'diff-index', '--cached', '--quiet', head)) !== undefined
  if (!isClean || (await commitOf(top, 'refs/stash^1')) !== head) throw new Unknown()
  for (const part of ['refs/stash', 'refs/stash^2']) await addChanged(paths, top, ['diff-tree', '-r', head, part])
  const untracked = await ask(top, 'rev-parse', '--verify', '--quiet', 'refs/stash^3^{commit}')
  if (untracked !== undefined) throw new Unknown()
}

/** The commits that a name may mean: a branch, a tag, a hash, or one before the current commit. */
async function commitsOf(top: string, name: string): Promise<readonly string[]> {
  const [, back] = /^HEAD~(\d{1,4})$/.exec(name) ?? []
  if (back !== undefined) {
    const line = await ask(top, 'rev-list', '--first-parent', `--max-count=${Number(back) + 1}`, 'HEAD')
    if (line === undefined) throw new Unknown()
    // Git refuses to go back further than the first commit.
    return line
      .split('\n')
      .slice(Number(back), Number(back) + 1)
      .filter((commit) => commit !== '')
  }
  if (/^HEAD(?:[~^]\d*)*$/.test(name)) return [await commitOf(top, name)]
  const found: string[] = []
  // SECURITY: A28 git may prefer another name: `remotes/a` is that in `refs/` before the branch of this name.
  for (const full of [`refs/heads/${name}`, `refs/tags/${name}`, `refs/remotes/${name}`, name]) {
    const commit = await ask(top, 'rev-parse', '--verify', '--quiet', `${full}^{commit}`)
    if (commit !== undefined) found.push(commit.trim())
  }
  if (found.length === 0) throw new Unknown()
  return found
}

async function commitOf(top: string, name: string): Promise<string> {
  const commit = await ask(top, 'rev-parse', '--verify', '--quiet', `${name}^{commit}`)
  if (commit === undefined) throw new Unknown()
  return commit.trim()
}

/** One of two commits must come before the other: then merging them makes nothing new. */
async function checkLine(top: string, one: string, other: string): Promise<void> {
  const isBefore = async (first: string, second: string) =>
    (await ask(top, 'merge-base', '--is-ancestor', first, second)) !== undefined
  if (!(await isBefore(one, other)) && !(await isBefore(other, one))) throw new Unknown()
}

const LINK_OR_REPOSITORY = /^:?(?:(?:120|160)000 \d{6}|\d{6} (?:120|160)000) /

/** Adds the paths of a comparison: `:100644 100644 <hash> <hash> M`, and then the path. */
async function addChanged(paths: Set<string>, top: string, [verb = '', ...args]: readonly string[]): Promise<void> {
  const output = await ask(top, verb, '-z', '--raw', '--no-renames', '--ignore-submodules=none', ...args, '--')
  if (output === undefined) throw new Unknown()
  const fields = output.split('\0')
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [about = '', path = ''] = [fields[at], fields[at + 1]]
    if (!about.startsWith(':') || path === '' || LINK_OR_REPOSITORY.test(about)) throw new Unknown()
    paths.add(path)
  }
}

/** Undefined for more paths than the bound, and for names that are not text. */
function bounded(found: Iterable<string>): readonly string[] | undefined {
  const paths = [...found].filter((path) => path !== '')
  return paths.length > LIMITS.paths || paths.some((path) => path.includes('\uFFFD')) ? undefined : paths
}

/** What git prints where paths are no patterns. */
function ask(top: string, ...args: readonly string[]): Promise<string | undefined> {
  return answer(top, ['--literal-pathspecs', ...args])
}

/** What git prints; undefined if it fails or prints too much. */
function answer(
  top: string,
  args: readonly string[],
  maxBuffer = LIMITS_OF_RUN.maxBuffer,
): Promise<string | undefined> {
  const program = PROGRAMS.find((path) => existsSync(path))
  if (program === undefined) return Promise.resolve(undefined)
  const settings = Object.entries(SETTINGS).flatMap(([key, value]) => ['-c', `${key}=${value}`])
  const options = { cwd: top, env: ENVIRONMENT, ...LIMITS_OF_RUN, maxBuffer } as const
  return new Promise((resolve) => {
    const child = execFile(program, [...settings, '--no-pager', ...args], options, (error, output) =>
      resolve(error === null ? output : undefined),
    )
    child.stdin?.end()
  })
}
