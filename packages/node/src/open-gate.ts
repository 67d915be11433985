import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import {
  type Checker,
  type Clock,
  createGate,
  type Desk,
  type Gate,
  type GateOptions,
  type JoinedSession,
  type Places,
  type Ports,
  type ResumableGate,
  type Sandbox,
  type Telemetry,
} from '@countersign/core'
import { openApprovers } from './approvers/approver-registry.ts'
import { openBackups } from './backups/backups-folder.ts'
import { openWorkspaceFiles } from './changes/workspace-files.ts'
import { builtinCheckers } from './checkers/builtin-checkers.ts'
import { openPrograms } from './checkers/external-checker.ts'
import { openSandbox } from './contain/open-sandbox.ts'
import { type Home, openHome } from './home/home.ts'
import { openWorkspace } from './home/workspace.ts'
import { openGateKey } from './keys/home-keys.ts'
import { openCrypto } from './keys/node-crypto.ts'
import { openPolicyFiles, type PolicyPlaces } from './policy/policy-files.ts'
import { openRulesFile, recoverRules } from './policy/rules-file.ts'
import { ownerBeside } from './process/call-owners.ts'
import { openHeads } from './store/checkpoint-file.ts'
import { openHomeStore } from './store/home-store.ts'
import { systemClock } from './system/clock.ts'
import { accountHome } from './system/os-account.ts'
import { openRepositories } from './targets/git-repositories.ts'
import { openTargets } from './targets/target-inspector.ts'

/** How to open a gate on this machine. Everything has a default. */
export interface OpenOptions {
  /** The folder of policy, store and keys, or one that is open already; `~/.countersign` of the account when absent. */
  readonly home?: string | Home
  /** The folder the agent works in; the current one when absent. Fixed for the session. */
  readonly workspace?: string
  /** The address of a store on PostgreSQL, `postgres://…`; the home's own store when absent. */
  readonly store?: string
  readonly session?: GateOptions['session']
  /** Checkers of your own, beside the built-in ones. */
  readonly checkers?: readonly Checker[]
  readonly bounds?: GateOptions['bounds']
  readonly observer?: boolean
  /** The tier to record: `T0` in the agent's own process, `T1` in another of the same account. */
  readonly tier?: 'T0' | 'T1'
  /** A clock other than the machine's; a service uses one that takes turns among its callers. */
  readonly clock?: Clock
  readonly managed?: PolicyPlaces['managed']
  /** Policy that holds for this gate alone and can only tighten, as an organisation's does: the bounds of one task. */
  readonly floors?: PolicyPlaces['floors']
  /** Another sandbox than this machine's, such as one that is missing. */
  readonly sandbox?: Sandbox
  /** Observes calls, for traces, metrics and logs. */
  readonly telemetry?: Telemetry
}

/** A gate on this machine: the handle that asks, the handle that decides, and the ports they use. */
export interface OpenedGate {
  readonly gate: Gate
  readonly desk: Desk
  /** Opens another session on the same policy; closing its handle ends only that session. */
  newSession(): Promise<Gate>
  /** Opens or takes up the session of an asker who can come back, by its id; closing its handle ends it here. */
  resumeSession(session: string): Promise<ResumableGate>
  /** Takes part in a session of a coding agent, which belongs to the agent's process and outlives this one. */
  joinSession(session: string, owner: string, waiter?: string): JoinedSession
  readonly home: Home
  readonly places: Places
  readonly ports: Ports
}

/**
 * Opens the gate in this process, over the store of the home.
 * The asking and the deciding handle are separate: give the first to the agent, and keep the second.
 *
 * ```ts
 * const { gate, desk, home, ports } = await openGate({ home: 'gate-home' })
 * ```
 */
export async function openGate(options: OpenOptions = {}): Promise<OpenedGate> {
  const home = typeof options.home === 'object' ? options.home : openHome(options.home)
  const workspace = options.workspace ?? process.cwd()
  // The service's own desk works in no folder at all: a home among the system's folders must not keep it from starting.
  const isNone = options.observer === true && workspace === home.dir
  const places = placesOf(home, isNone ? workspace : openWorkspace(workspace))
  const ports = await openPorts(home, places, options)
  const { gate, desk, newSession, resumeSession, joinSession } = await createGate(ports, {
    places,
    session: options.session ?? 'session',
    opening: { home: home.chosen, tier: options.tier ?? 'T0' },
    checkers: [...builtinCheckers(ports), ...(options.checkers ?? [])],
    ...(options.bounds === undefined ? {} : { bounds: options.bounds }),
    ...(options.observer === undefined ? {} : { observer: options.observer }),
  })
  return {
    gate,
    desk,
    newSession,
    resumeSession,
    joinSession(session, owner, waiter) {
      const beside = (one: string) => ownerBeside(ports.owners, one)
      return joinSession(session, beside(owner), waiter === undefined ? undefined : beside(waiter))
    },
    home,
    places,
    ports,
  }
}

/** The ports of core on this machine. */
export async function openPorts(
  home: Home,
  places: Places,
  options: Pick<OpenOptions, 'managed' | 'floors' | 'clock' | 'sandbox' | 'store' | 'telemetry'> = {},
): Promise<Ports> {
  const crypto = openCrypto(home)
  const own = options.clock ?? systemClock
  const { store, owners, gates, keys, shared, storeClock } = await openHomeStore(home, {
    crypto,
    now: own.now,
    clock: own,
    ...(options.store === undefined ? {} : { store: options.store }),
  })
  // Machines that share a store go by its clock, so that a deadline is the same moment on all of them.
  const clock = storeClock === undefined ? own : { ...own, now: () => storeClock.now() }
  const filesOf = (workspace: string) =>
    openPolicyFiles({
      home,
      workspace,
      ...(options.managed ? { managed: options.managed } : {}),
      ...(options.floors ? { floors: options.floors } : {}),
    })
  const rules = openRulesFile(home, store, crypto, (workspace) => filesOf(workspace ?? home.dir).read())
  await recoverRules(home, rules)
  return {
    clock,
    crypto,
    signer: openGateKey(home),
    ...(keys === undefined ? {} : { gates: keys }),
    store,
    ...(shared === undefined ? {} : { shared }),
    ...(storeClock === undefined ? {} : { storeClock }),
    targets: openTargets(),
    approvers: openApprovers(home, gates?.sync),
    owners,
    policyFiles: filesOf(places.workspace),
    rules,
    heads: openHeads(home),
    backups: openBackups(home, clock),
    programs: openPrograms(),
    sandbox: options.sandbox ?? openSandbox(places),
    files: openWorkspaceFiles(),
    repositories: openRepositories(),
    ...(options.telemetry === undefined ? {} : { telemetry: options.telemetry }),
  }
}

/** The places a policy may name, for one home and one workspace. */
export function placesOf(home: Home, workspace: string): Places {
  return { workspace, home: accountHome() ?? home.dir, gate: home.dir, temp: realpathSync(tmpdir()) }
}
