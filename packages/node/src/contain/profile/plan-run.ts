import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { type Bounds, CONTAINMENT, CountersignError, type Places } from '@countersign/core'
import { isSystemFolder } from '../../home/workspace.ts'
import { type GitFolder, gitFolderOf } from '../workspace/git-folders.ts'
import { type Scan, scanRepository, scanWorkspace } from '../workspace/scan-workspace.ts'
import { openPrivateCache } from './private-cache.ts'
import type { Plan } from './profile.ts'
import { canEnter, type RunAccount, runAccount } from './run-account.ts'
import { findVisibleFiles, isWithin } from './visible-files.ts'

/** The most files and folders that one run protects: each is a mount. INVARIANT: L10. */
const MOST_GUARDED = 400
/** Folders that nobody can be given: they lead to other processes, devices or services. */
const NEVER = ['/proc', '/sys', '/dev', '/run']
const WHOLE_HOMES = /^(?:\/root|\/(?:home|Users)(?:\/[^/]+)?)$/

/** A plan, and the account it is for. */
export interface PlannedRun {
  readonly plan: Plan
  readonly account: RunAccount
}

/** Looks at the machine and the workspace, and decides what a run with these bounds sees. Throws when it cannot be contained. */
export function planRun(bounds: Bounds, places: Places, cwd: string, searchPath: string | undefined): PlannedRun {
  const workspace = realFolder(places.workspace)
  const home = realOrSame(places.home)
  const real: Bounds = {
    ...bounds,
    write: bounds.write.map((path) => grantable(path, home, 'write')),
    read: bounds.read.map((path) => grantable(path, home, 'read')),
  }
  const gate = realOrSame(places.gate)
  const secret =
    [workspace, ...real.write, ...real.read].find((path) => isWithin(path, gate)) ??
    credentialsBelow(home).find((path) => isWithin(workspace, path))
  // SECURITY: A15 the gate and credentials are hidden unless they are in the workspace; then they are the workspace.
  if (secret !== undefined) throw refused(`the sandbox can’t show \`${secret}\` to a command; use a project folder`)
  const folder = realFolder(cwd)
  if (![workspace, ...real.write, ...real.read].some((path) => isWithin(folder, path)))
    throw refused(
      `the working folder \`${cwd}\` is outside the workspace; run the command in the workspace, or add the folder to the bounds`,
    )
  for (const name of bounds.credentials)
    if (name !== 'project' && CONTAINMENT.credentials[name] === undefined)
      throw refused(
        `unknown credentials \`${name}\`; use ${['project', ...Object.keys(CONTAINMENT.credentials)].join(', ')}`,
      )
  const account = runAccount(workspace)
  const git = gitFolderOf(workspace, home)
  const cache = account === null ? openPrivateCache(places.gate, workspace, home, real) : null
  const plan: Plan = {
    bounds: real,
    workspace,
    home,
    gate,
    visible: findVisibleFiles(home, searchPath, real.credentials, (path) => canEnter(path, account)),
    git,
    scans: scansOf(real, workspace, git),
    cache,
    gitConfig: cache === null || real.credentials.includes('git') ? null : cache.gitConfig,
    mounts: [],
  }
  for (const scan of plan.scans) requireSearched(scan)
  const count = plan.scans.reduce(
    (sum, { guarded, shared, secrets, channels }) =>
      sum + guarded.length + shared.length + secrets.length + channels.length,
    0,
  )
  if (count > MOST_GUARDED)
    throw refused(
      `the workspace has ${count} protected files and folders, and the sandbox can protect ${MOST_GUARDED}; ask to run it outside the sandbox`,
    )
  return { plan, account }
}

/** Where a home keeps credentials. */
function credentialsBelow(home: string): readonly string[] {
  return Object.values(CONTAINMENT.credentials)
    .flatMap((names) => names ?? [])
    .map((name) => realOrSame(join(home, name)))
}

/** SECURITY: what was not searched is not protected, so the run would not be contained. */
function requireSearched({ root, unsearched: [first], nameless: [odd] }: Scan): void {
  if (first?.why === 'closed')
    throw refused(`the folder \`${first.path}\` cannot be searched for files to protect; make it readable`)
  if (first !== undefined)
    throw refused(
      `\`${root}\` has more folders than the sandbox can search; name a smaller workspace, or ask to run it outside the sandbox`,
    )
  if (odd !== undefined)
    throw refused(`\`${odd}\` contains a name that is not valid UTF-8 and can’t be protected; rename it`)
}

function scansOf(bounds: Bounds, workspace: string, git: GitFolder | null): readonly Scan[] {
  const writes = bounds.workspace === 'write'
  const more = bounds.write.filter((path) => !isWithin(path, workspace) || !writes)
  const repositories =
    git === null || git.kind === 'around' || !writes ? [] : git.kind === 'worktree' ? [git.common, git.own] : [git.own]
  return [
    scanWorkspace(workspace, writes, writes || bounds.write.length > 0),
    ...more.map((path) => scanWorkspace(path, true)),
    ...repositories.map((path) => scanRepository(path)),
  ]
}

/** Whether a folder may be opened to a contained command. */
export function isGrantable(real: string, home: string, use: 'read' | 'write'): boolean {
  const isTooMuch =
    isWithin(home, real) || WHOLE_HOMES.test(real) || NEVER.some((one) => isWithin(real, one) || isWithin(one, real))
  return !isTooMuch && !(use === 'write' && isSystemFolder(real))
}

function grantable(path: string, home: string, use: 'read' | 'write'): string {
  const real = realFolder(path)
  if (!isGrantable(real, home, use))
    throw refused(`\`${path}\` can’t be opened to a command in the sandbox; name a folder below it`)
  return real
}

function realFolder(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    throw refused(`\`${path}\` does not exist; create it, or remove it from the bounds`)
  }
}

function realOrSame(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

function refused(why: string): CountersignError {
  return new CountersignError('CS_SANDBOX', why)
}
