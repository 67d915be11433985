import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { asCountersignError, CountersignError } from '@countersign/core'
import { type ConfigFile, type Home, isWritable, readConfigFile } from '@countersign/node'
import { isSameData } from '../answer/host-call.ts'
import type { HostName } from '../contract/host-name.ts'
import { contractOf } from '../hosts/contracts.ts'
import { type HostSetup, isHostToken, newHostToken, readHostSetup } from '../sessions/host-setup.ts'
import type { UntrustedHook } from './codex-trust.ts'
import type { FoundAgent, Machine } from './detect-agents.ts'
import { withOurs, withoutOurs, withTrust } from './edit-file.ts'
import { type HookFile, type HookPlace, type Scope, settingsFolders } from './hosts/hook-files.ts'
import { type HookWords, hookLine, hookWords, readHookLine } from './hosts/hook-line.ts'
import { offSwitches } from './hosts/off-switches.ts'
import { placeHooks } from './hosts/place-hooks.ts'
import { findRecord, readRecords } from './undo-records.ts'

/** The planned change of one file. Nothing is written yet. */
export interface PlannedFile {
  readonly host: HostName
  readonly kind: HookFile['kind']
  /** As the agent names it. */
  readonly path: string
  /** Null if it does not exist. */
  readonly file: ConfigFile | null
  readonly after: string
  /** Of a new file. */
  readonly mode: number
  /** What undoing leads back to; null for no file. */
  readonly before: string | null
}

/** `impossible`: the agent has no way for it. `refused`: its settings can't be edited safely as they are. */
export interface SetupProblem {
  readonly kind: 'impossible' | 'refused'
  readonly why: string
}

/** What `init` would do for one agent. */
export interface AgentPlan {
  readonly found: FoundAgent
  readonly files: readonly PlannedFile[]
  /** For the person, such as settings that turn hooks off. */
  readonly notes: readonly string[]
  /** Why the agent can't be put behind the gate; null if it can. */
  readonly problem: SetupProblem | null
  readonly setup: HostSetup
  /** Whether `setup` differs from what is kept. */
  readonly changesSetup: boolean
}

/** What a plan depends on. */
export interface PlanOptions {
  readonly machine: Machine
  readonly scope: Scope
  readonly home: Home
  /** The absolute paths of Node and of Countersign. */
  readonly launcher: readonly string[]
  /** What `--in` and `--ask` say; what was chosen before if absent. */
  readonly within?: HostSetup['within']
  readonly asking?: HostSetup['asking']
  /** How long agents wait for a hook at most, in seconds; as long as they can if absent. */
  readonly patienceS?: number
}

/** Plans the setup of one agent. A file that can't be edited safely is a problem of this agent only. */
export function planSetup(found: FoundAgent, options: PlanOptions): AgentPlan {
  const { name } = found.agent
  const { home, within, asking } = options
  const known = knownSetup(name, home)
  const { token, tokenHash } = tokenOf(name, options, known ?? undefined)
  const setup = { tokenHash, within: within ?? known?.within ?? [], asking: asking ?? known?.asking ?? 'desk' }
  const changesSetup = !isSameData(setup, known)
  const plan = { found, notes: notesOf(found, setup, options), setup, changesSetup }
  if (known === null && within === undefined) return { ...plan, files: [], problem: damagedSetup(name) }
  try {
    const files = placeHooks(name, placeOf(found, token, options))
    if (typeof files === 'string') return { ...plan, files: [], problem: { kind: 'impossible', why: files } }
    return { ...plan, files: files.map((wish) => planFile(wish, name, options)), problem: null }
  } catch (error) {
    const { message } = asCountersignError(error, 'CS_CLIENT_CONFIG', 'its settings can’t be read')
    return { ...plan, files: [], problem: { kind: 'refused', why: message } }
  }
}

/** What was chosen before; null if that can't be read. */
function knownSetup(host: HostName, home: Home): HostSetup | undefined | null {
  try {
    return readHostSetup(home, host)
  } catch {
    return null
  }
}

/** INVARIANT: L3, folders that nobody can read are not taken for every folder. */
function damagedSetup(host: HostName): SetupProblem {
  const again = `countersign init --only ${host} --in <folder>`
  return {
    kind: 'refused',
    why: `what you chose for it before can’t be read; choose its folders again with \`${again}\``,
  }
}

/** Plans to write a person's trust in Codex's hooks. */
export function planTrust(hooks: readonly UntrustedHook[], { home, machine }: PlanOptions): PlannedFile {
  const [folder = ''] = settingsFolders('codex', '.codex', machine)
  const path = join(folder, 'config.toml')
  refuseUnclear(path)
  const file = readConfigFile(path) ?? null
  const after = withTrust(file?.text ?? '', path, hooks)
  const record = findRecord(home, file?.path ?? realPlace(path))
  const before = beforeOf(file, { kind: 'toml', path, hooks: [] }, 'codex', record)
  return { host: 'codex', kind: 'toml', path, file, after, mode: 0o600, before }
}

/** Whether a plan changes a file. */
export function isChange({ file, after }: Pick<PlannedFile, 'file' | 'after'>): boolean {
  return file?.text !== after
}

function placeOf(found: FoundAgent, token: string, options: PlanOptions): HookPlace {
  const { machine, scope, home, launcher, patienceS } = options
  const host = found.agent.name
  const words: HookWords = { host, launcher, token, home: home.chosen === 'given' ? home.dir : null }
  return {
    ...machine,
    scope,
    version: found.version,
    events: contractOf(host).events,
    line: (event) => hookLine(words, event),
    words: hookWords(words),
    ...(patienceS === undefined ? {} : { patienceS }),
  }
}

/** The token that the agent's files already have, so that a second run changes nothing; or a new one. */
function tokenOf(
  host: HostName,
  { home }: PlanOptions,
  known: HostSetup | undefined,
): { readonly token: string; readonly tokenHash: string } {
  for (const { after } of readRecords(home).filter((record) => record.host === host)) {
    const token = readHookLine(after)?.token
    if (token !== undefined && known !== undefined && isHostToken(token, known))
      return { token, tokenHash: known.tokenHash }
  }
  return newHostToken()
}

function planFile(wish: HookFile, host: HostName, options: PlanOptions): PlannedFile {
  const { home, machine, scope } = options
  refuseUnclear(wish.path)
  const file = readConfigFile(wish.path) ?? null
  // SECURITY: A1 a link in a cloned project could lead to any file of the account.
  if (scope === 'project' && !isInside(realParent(file?.path ?? wish.path), realpathSync(machine.project)))
    throw refused(wish.path, 'it leads out of the project; replace the link with a file')
  const after = withOurs(file?.text ?? null, wish, host)
  if (file !== null && after !== file.text && !isWritable(file))
    throw refused(wish.path, 'it is read-only; make it writable first (`chmod u+w`)')
  const record = findRecord(home, file?.path ?? realPlace(wish.path))
  if (wish.kind === 'own' && file !== null && after !== file.text && record !== undefined && record.after !== file.text)
    throw refused(wish.path, 'it was edited since `countersign init` wrote it; move it away first')
  const mode = wish.kind === 'own' ? wish.mode : 0o600
  return { host, kind: wish.kind, path: wish.path, file, after, mode, before: beforeOf(file, wish, host, record) }
}

/** Stands for a file without a record: lists that only hold our hooks go with them, the file stays. */
const NOTHING_KNOWN = '{}'

/** INVARIANT: what undoing leads back to has everything the person wrote, also since the last time, and nothing of ours. */
function beforeOf(
  file: ConfigFile | null,
  wish: HookFile,
  host: HostName,
  record: ReturnType<typeof findRecord>,
): string | null {
  if (file === null) return null
  if (record?.after === file.text) return record.before
  return withoutOurs(file.text, wish, host, record === undefined ? NOTHING_KNOWN : record.before)
}

function refuseUnclear(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats?.isSymbolicLink() === true && !existsSync(path))
    throw refused(path, 'it links to a file that does not exist; remove the link or create the file')
}

/** Where a file that does not exist yet will really be. */
export function realPlace(path: string): string {
  const parent = dirname(path)
  if (parent === path) return path
  return existsSync(path) ? realpathSync(path) : join(realPlace(parent), basename(path))
}

function realParent(path: string): string {
  return dirname(realPlace(path))
}

function isInside(path: string, folder: string): boolean {
  return `${path}${sep}`.startsWith(`${folder}${sep}`)
}

function notesOf(
  { agent, version }: FoundAgent,
  { asking }: HostSetup,
  { machine, scope, home }: PlanOptions,
): readonly string[] {
  const own = readRecords(home).some(({ host, path }) => host === agent.name && !isInside(path, machine.project))
  return [
    ...offSwitches(agent.name, machine),
    ...(agent.name === 'claude-code' && version === null
      ? [
          'its version is unknown, so `onFailure` is left out; run `countersign init` again where `claude` is on the `PATH`',
        ]
      : []),
    ...(asking === 'host' && !agent.asks ? ['it has no prompt for hooks, so calls are held in Countersign'] : []),
    ...(scope === 'project' && own
      ? ['your account’s settings already have the hook, so every call would ask twice; leave out `--project`']
      : []),
    ...(scope === 'project' && agent.name !== 'claude-code'
      ? ['its project files are often shared; don’t commit this one: it contains paths of this machine']
      : []),
    ...(agent.evidence === 'contract only' ? ['written from its documentation, not tested with the program'] : []),
  ]
}

function refused(path: string, why: string): CountersignError {
  return new CountersignError('CS_CLIENT_CONFIG', `\`${path}\` was not changed: ${why}`)
}
