import { type Bounds, hostText, type Places, type SandboxRefusal } from '@countersign/core'
import { signalGroup } from '../process/group.ts'
import {
  attend,
  type Command,
  type Ended,
  exitCodeOf,
  invocationOf,
  isFolder,
  type RunOptions,
} from '../process/run-command.ts'
import { findBubblewrap, INSTALL_BUBBLEWRAP } from './bubblewrap.ts'
import { checkMounts } from './check-mounts.ts'
import { withException } from './exceptions.ts'
import { DEFAULT_LIMITS, type Limits, limitedCommand } from './limits.ts'
import { bridged, bridgeMounts } from './network/bridge.ts'
import type { RefusedHost } from './network/host-filter.ts'
import { type FilteringProxy, openProxy } from './network/proxy.ts'
import { containedEnvironment } from './profile/environment.ts'
import { type PlannedRun, planRun } from './profile/plan-run.ts'
import { newQuarantine } from './profile/private-cache.ts'
import { type Plan, profileArguments, projectMounts } from './profile/profile.ts'
import { RunMonitor } from './run-monitor.ts'
import { sandboxEnd } from './sandbox-end.ts'
import { findRefusals, reportLine, type SandboxReport, silentRefusal } from './sandbox-report.ts'
import { startBubblewrap } from './start-bubblewrap.ts'
import { watchLimits } from './watch-limits.ts'
import { restoreProtected, watchProtected } from './workspace/restore-protected.ts'
import { recordRun, recoverRuns, withStrangers } from './workspace/run-records.ts'

/** How a contained command runs. */
export interface ContainedOptions extends Omit<RunOptions, 'endLeftBehind'> {
  readonly bounds: Bounds
  readonly places: Places
  readonly limits?: Partial<Limits>
}

/** How it ended, and what the sandbox did. `not-started`: nothing of it ran. */
export type ContainedEnd = Ended & { readonly sandbox: SandboxReport }

/**
 * Runs a command in the sandbox. Whatever keeps the sandbox from starting keeps the command from running. When its first
 * process ends, so does everything it started. A run that created protected names counts as failed, whatever it returned.
 */
export async function runContained(command: Command, options: ContainedOptions): Promise<ContainedEnd> {
  const { shell } = invocationOf(command)
  const bubblewrap = findBubblewrap()
  if (process.platform !== 'linux') return notStarted(shell, 'there is no proven sandbox for this system')
  if (bubblewrap === undefined) return notStarted(shell, `bubblewrap was not found; ${INSTALL_BUBBLEWRAP}`)
  if (!isFolder(options.cwd))
    return notStarted(shell, `the working folder \`${options.cwd}\` no longer exists; create it again`)
  if (options.signal?.aborted === true)
    return { ...notStarted(shell, 'it was withdrawn before it started'), how: 'aborted', exitCode: 143 }
  const progress: Progress = { started: false }
  try {
    recoverRuns(options.places.gate, () => newQuarantine(options.places.gate))
    const planned = planRun(options.bounds, options.places, options.cwd, (options.env ?? process.env)['PATH'])
    const { network } = options.bounds
    if (network.length === 0) return await run(bubblewrap, command, options, planned, null, progress)
    const proxy = await openProxy(network, { account: planned.account })
    try {
      return await run(bubblewrap, command, options, planned, proxy, progress)
    } finally {
      await proxy.close()
    }
  } catch (error) {
    // INVARIANT: L7, a command that may have run is never reported as not started.
    if (progress.started) throw error
    return notStarted(shell, error instanceof Error ? error.message : 'the sandbox could not be prepared')
  }
}

/** Whether bubblewrap was started. */
interface Progress {
  started: boolean
}

async function run(
  bubblewrap: string,
  command: Command,
  options: ContainedOptions,
  planned: PlannedRun,
  proxy: FilteringProxy | null,
  progress: Progress,
): Promise<ContainedEnd> {
  const invocation = invocationOf(command)
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const source = options.env ?? process.env
  const { account } = planned
  const plan = proxy === null ? planned.plan : { ...planned.plan, mounts: bridgeMounts(proxy.socketPath) }
  const limited = limitedCommand(limits, invocation)
  const writes = plan.bounds.workspace === 'write' || plan.bounds.write.length > 0
  // After the scan: a run that has ended since then took its names with it, so that this one does not start.
  const watched = watchProtected(writes ? plan.scans.map((scan) => withStrangers(scan, plan.gate)) : plan.scans)
  const forget = writes ? recordRun(plan.gate, watched) : () => {}
  const { child, status, mounted, release } = startBubblewrap(
    bubblewrap,
    profileArguments(plan),
    proxy === null ? limited : bridged(limited),
    {
      cwd: options.cwd,
      env: containedEnvironment(source, { home: plan.home, path: plan.visible.path }),
      stdin: options.stdio === 'inherit' ? 'inherit' : 'ignore',
      account,
    },
  )
  if (child.pid === undefined) {
    const why = await new Promise<Error>((resolve) => child.once('error', resolve))
    forget()
    return notStarted(invocation.shell, `bubblewrap cannot be run (${why.message})`)
  }
  progress.started = true
  const { pid } = child
  const checked = mounted.then(() => {
    const difference = checkMounts(projectMounts(plan), status().childPid)
    if (difference === null) release()
    else {
      child.once('exit', release)
      signalGroup(pid, 'SIGKILL')
    }
    return difference
  })
  const monitor = new RunMonitor(options, limits)
  const unwatch = watchLimits(limits, writtenDisks(plan), () => status().childPid, monitor.onExcess)
  const end = await attend(child, child.pid, {
    signal: monitor.signal,
    timeoutMs: Math.min(options.timeoutMs ?? limits.timeoutMs, limits.timeoutMs),
    graceMs: options.graceMs ?? 0,
    onOutput: monitor.onOutput,
  })
  unwatch()
  const { exitCode, childPid } = status()
  await sandboxEnd(childPid)
  // Bubblewrap that ended without the exit code of the command, and was not stopped, never started it.
  if (exitCode === undefined && end.how === 'exited') {
    const message = `the sandbox did not start (${monitor.tail().trim().split('\n').at(-1)})`
    const why = end.code === null ? await checked : message
    if (why !== null) {
      forget()
      return notStarted(invocation.shell, why)
    }
  }
  const code = exitCode ?? exitCodeOf(end.code, end.signal)
  const isGood = code === 0 && end.how === 'exited'
  const line = 'argv' in command ? command.argv.join(' ') : command.command
  const refused = isGood ? [] : silentRefusal(line, monitor.tail())
  const sandbox = reportOf(plan, monitor, isGood, options.cwd, watched, proxy?.refused() ?? [], refused)
  forget()
  return {
    how: monitor.excess === null ? end.how : 'exited',
    exitCode: code === 0 && sandbox.restored.length > 0 ? 1 : code,
    signal: exitCode === undefined ? end.signal : null,
    problem: null,
    shell: invocation.shell,
    leftBehind: 0,
    sandbox,
  }
}

function reportOf(
  plan: Plan,
  monitor: RunMonitor,
  isGood: boolean,
  cwd: string,
  watched: Parameters<typeof restoreProtected>[0],
  hosts: readonly RefusedHost[],
  silent: readonly SandboxRefusal[],
): SandboxReport {
  const written = [...(plan.bounds.workspace === 'write' ? [plan.workspace] : []), ...plan.bounds.write]
  const restored = written.length === 0 ? [] : restoreProtected(watched, newQuarantine(plan.gate))
  const surroundings = {
    cwd,
    home: plan.home,
    visible: visibleIn(plan),
    written,
    guarded: plan.scans.flatMap((scan) => [...scan.guarded, ...scan.shared]),
  }
  const byProxy = hosts.map(
    ({ host, port }) => ({ kind: 'host', what: hostText(host, port), certainty: 'strong' }) as const,
  )
  const found = isGood ? [] : [...byProxy, ...silent, ...findRefusals(monitor.tail(), surroundings)]
  const refused = found.map((one) => withException(one, { ...plan, guarded: surroundings.guarded }))
  const report = { refused, restored, stopped: monitor.excess }
  return { ...report, line: reportLine(report) }
}

/** The folders that a run can fill. */
function writtenDisks({ workspace, bounds, cache, git }: Plan): readonly string[] {
  const more = git?.kind === 'worktree' ? [git.common] : git?.kind === 'submodule' ? [git.own] : []
  return [workspace, ...bounds.write, ...(cache === null ? [] : [cache.source]), ...more]
}

function visibleIn({ workspace, bounds, visible }: Plan): readonly string[] {
  const links = visible.links.map(({ path }) => path)
  return [workspace, ...bounds.read, ...visible.folders, ...links, ...visible.home, '/tmp', '/proc']
}

function notStarted(shell: string | null, why: string): ContainedEnd {
  const refused = [{ kind: 'start', what: why, certainty: 'strong' }] as const
  const report = { refused, restored: [], stopped: null }
  const sandbox = { ...report, line: reportLine(report) }
  return { how: 'not-started', exitCode: 125, signal: null, problem: why, shell, leftBehind: 0, sandbox }
}
