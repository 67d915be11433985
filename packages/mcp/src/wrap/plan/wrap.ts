import type { Home } from '@countersign/node'
import { labelOf } from '../../identity/server-label.ts'
import { foldLabel } from '../../pins/label-files.ts'
import { openConfig, type PlacedFile } from '../config/client-files.ts'
import { type ConfigText, type ServerEntry, textOf } from '../config/text.ts'
import { readBackup } from '../entry/backups.ts'
import { wrapLine } from '../entry/command-line.ts'
import { environmentHash, hazardousVariable } from '../entry/environment.ts'
import { type GateStatus, type Gates, gateStatusOf } from '../entry/gate-status.ts'
import { type Launcher, unstableReason } from '../entry/installation.ts'
import type { Labels } from './labels.ts'
import { lineLabel } from './labels.ts'
import { type ConfigPlan, type EntryEdit, type EntryPlan, finishPlan, sameEntry } from './plan.ts'
import { wrapEntry } from './wrap-entry.ts'

export interface WrapOptions {
  readonly gates: Gates
  /** `--home`, unless it is the account's default. */
  readonly home: string | undefined
  /** Further flags for the proxy. */
  readonly flags: readonly string[]
  /** Only these servers; all when empty. */
  readonly only: readonly string[]
  readonly labels: Labels
}

/** Plans the wrapping of a file; undefined when it does not exist. */
export function planWrap(placed: PlacedFile, home: Home, options: WrapOptions): ConfigPlan | undefined {
  const opened = openConfig(placed)
  if (opened === undefined) return undefined
  const { file, config } = opened
  const record = readBackup(home, file.path)
  const launcher = options.gates.installation.launcherFor(placed)
  const fates = config.entries.map((entry): EntryPlan => {
    if (options.only.length > 0 && !options.only.includes(entry.name)) return leftAs(entry, 'it was not selected')
    const status = withoutConflicts(gateStatusOf(entry, config, placed, options.gates, record), placed, options.labels)
    const starts = status.kind === 'gated' ? status.line.launcher : launcher
    const variable = hazardousVariable(entry.data[placed.client.shape.env], starts)
    const notes = variable === undefined ? [] : [`its \`${variable}\` also affects the gate; check what it does`]
    const why = whyLeft(status, options.flags)
    if (why !== null) return { ...leftAs(entry, why), notes: [...notesOnName(entry, status), ...notes] }
    const { impostors, ...made } = wrapped(entry, config, placed, launcher, options)
    return { entry, ...made, notes: [...notesOn(entry, status), ...impostors, ...notes] }
  })
  const plan = finishPlan(placed, file, config, fates, (after) => ({
    kind: 'made',
    file: {
      path: file.path,
      before: file.text,
      after: after.text,
      entries: fates.flatMap(({ entry, fate }) => {
        const now = fate.kind === 'edit' ? sameEntry(after, entry) : undefined
        if (now === undefined) return []
        const environment = environmentHash(now.data, placed.client.shape)
        return [{ path: entry.path, launcher, before: textOf(config, entry), after: textOf(after, now), environment }]
      }),
    },
  }))
  const isNew = fates.some(({ fate }) => fate.kind === 'edit')
  return isNew ? { ...plan, notes: [...plan.notes, ...notesOnLauncher(launcher, options.gates)] } : plan
}

/**
 * A gate that `wrap` did not write does not count when its name belongs to another server. SECURITY: A20 rules go by name:
 * wrapped again under a unique name, it gets the rules of neither.
 */
function withoutConflicts(status: GateStatus, file: PlacedFile, labels: Labels): GateStatus {
  if (status.kind !== 'gated' || status.recorded !== null) return status
  const rival = labels.conflictOf(status.line, file)
  if (rival === null) return status
  const who = rival === 'pins' ? 'a server seen before' : `\`${rival.name}\` in \`${rival.path}\``
  return { kind: 'lookalike', why: `its name \`${lineLabel(status.line)}\` belongs to ${who}` }
}

interface Wrapped {
  readonly label: string | null
  readonly fate: EntryEdit
  /** Notes on other gates with its name. */
  readonly impostors: readonly string[]
}

function wrapped(
  entry: ServerEntry,
  config: ConfigText,
  placed: PlacedFile,
  launcher: Launcher,
  options: WrapOptions,
): Wrapped {
  const { labels } = options
  const found: { label: string | null; impostors: readonly string[] } = { label: null, impostors: [] }
  const fate = wrapEntry(entry, config.text, placed.client.shape, (inner, more) => {
    const label = labels.labelFor(entry.name, inner, placed)
    found.label = label
    found.impostors = labels
      .impostorsOf(label, inner)
      .map(
        ({ name, path }) =>
          `\`${name}\` in \`${path}\` also uses the name \`${label}\`, and \`wrap\` did not write it; check it`,
      )
    return wrapLine(launcher, { ...options, label, flags: [...options.flags, ...more] }, inner)
  })
  return { ...found, fate }
}

/** Why a server is not wrapped again; null when it is. */
function whyLeft(status: GateStatus, flags: readonly string[]): string | null {
  if (status.kind === 'missing')
    return `its gate cannot start because \`${status.program}\` no longer exists; \`unwrap\` it and wrap it again`
  if (status.kind !== 'gated') return null
  const has = ` ${status.line.flags.join(' ')} `.includes(` ${flags.join(' ')} `)
  return flags.length === 0 || has
    ? 'it is already behind the gate'
    : 'it is already behind the gate, with other flags; to change them, `unwrap` it first'
}

function leftAs(entry: ServerEntry, why: string): EntryPlan {
  return { entry, label: null, notes: [], fate: { kind: 'left', why } }
}

/** Notes on the command that starts the gate: its path may disappear, or a client may not find the bare name. */
function notesOnLauncher(launcher: Launcher, { installation }: Gates): readonly string[] {
  const { onPath, unstable } = installation
  if (unstable !== null && launcher.length > 1) return [unstableReason(unstable)]
  if (launcher[0] !== 'countersign' || onPath === 'this') return []
  return [
    onPath === 'none'
      ? '`countersign` is not on your `PATH`, and clients start it by that name; install it there, or pass `--launcher`'
      : '`countersign` on your `PATH` is another installation, and clients start it by that name',
  ]
}

/** A gate that `wrap` did not write has the name that its file gives it. */
function notesOnName({ name }: ServerEntry, status: GateStatus): readonly string[] {
  const label = status.kind === 'gated' && status.recorded === null ? lineLabel(status.line) : null
  if (label === null || foldLabel(label) === foldLabel(labelOf(name))) return []
  return [`\`wrap\` did not write this gate: its file names the server \`${label}\`, so the rules for that name apply`]
}

function notesOn({ data }: ServerEntry, status: GateStatus): readonly string[] {
  const isOff = data['disabled'] === true || data['enabled'] === false
  return [
    ...(status.kind === 'lookalike' ? [`it looks like a gate, but ${status.why}; wrapped like any other server`] : []),
    ...(isOff ? ['it is disabled, and stays disabled'] : []),
  ]
}
