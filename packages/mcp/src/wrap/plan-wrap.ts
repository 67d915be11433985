import type { Home } from '@countersign/node'
import { type ConfigText, type ServerEntry, textOf } from './config-text.ts'
import { type Gates, loadingVariable, type Standing, standingOf } from './gate-standing.ts'
import type { Launcher } from './installation.ts'
import type { Labels } from './labels.ts'
import { type ConfigPlan, type EntryPlan, finishPlan, sameEntry } from './plan.ts'
import { openConfig, type PlacedFile } from './read-config.ts'
import { type EntryFate, wrapEntry } from './wrap-entry.ts'
import { readBackup } from './wrapped-files.ts'
import { wrapLine } from './wrapped-line.ts'

export interface WrapOptions {
  readonly gates: Gates
  /** `--home`, when another than the account's own was named. */
  readonly home: string | undefined
  /** More flags for the proxy. */
  readonly flags: readonly string[]
  /** Only these servers; all when empty. */
  readonly only: readonly string[]
  readonly labels: Labels
}

/** What wrapping would do to a file; undefined when there is none. */
export function planWrap(placed: PlacedFile, home: Home, options: WrapOptions): ConfigPlan | undefined {
  const opened = openConfig(placed)
  if (opened === undefined) return undefined
  const { file, config } = opened
  const record = readBackup(home, file.path)
  const launcher = options.gates.installation.launcherFor(placed)
  const fates = config.entries.map((entry): EntryPlan => {
    if (options.only.length > 0 && !options.only.includes(entry.name)) return leftAs(entry, 'it was not asked for')
    const standing = standingOf(entry, config, placed, options.gates, record)
    const variable = loadingVariable(entry.data[placed.client.shape.env], launcher)
    const notes =
      variable === undefined ? [] : [`its \`${variable}\` is in force for the gate, too; look at what it does`]
    const why = whyLeft(standing, options.flags)
    if (why !== null) return { ...leftAs(entry, why), notes }
    return {
      entry,
      ...wrapped(entry, config, placed, launcher, options),
      notes: [...notesOn(entry, standing), ...notes],
    }
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
        return [{ path: entry.path, launcher, before: textOf(config, entry), after: textOf(after, now) }]
      }),
    },
  }))
  const isNew = fates.some(({ fate }) => fate.kind === 'edit')
  return isNew ? { ...plan, notes: notesOnLauncher(launcher, options.gates) } : plan
}

/** A bare name is what the path of a client makes of it. */
function notesOnLauncher([program]: Launcher, { installation: { onPath } }: Gates): readonly string[] {
  if (program !== 'countersign' || onPath === 'this') return []
  return [
    onPath === 'none'
      ? '`countersign` is not on your path, and clients start it by that name; install it there, or give `--launcher`'
      : '`countersign` on your path is another installation, and clients start it by that name',
  ]
}

function wrapped(
  entry: ServerEntry,
  config: ConfigText,
  { client }: PlacedFile,
  launcher: Launcher,
  options: WrapOptions,
): { readonly label: string | null; readonly fate: EntryFate } {
  let label: string | null = null
  const fate = wrapEntry(entry, config.text, client.shape, (inner) => {
    label = options.labels.labelFor(entry.name, inner)
    return wrapLine(launcher, { ...options, label }, inner)
  })
  return { label, fate }
}

/** Why a server is not wrapped for how it stands already; null when it is to be. */
function whyLeft(standing: Standing, flags: readonly string[]): string | null {
  if (standing.kind === 'gone')
    return `what starts its gate is gone (\`${standing.program}\`), so it does not run; \`unwrap\` it, and wrap it again`
  if (standing.kind !== 'gated') return null
  const has = ` ${standing.line.flags.join(' ')} `.includes(` ${flags.join(' ')} `)
  return flags.length === 0 || has
    ? 'it is behind the gate already'
    : 'it is behind the gate already, with other flags; `unwrap` it first to change them'
}

function notesOn({ data }: ServerEntry, standing: Standing): readonly string[] {
  const isOff = data['disabled'] === true || data['enabled'] === false
  return [
    ...(standing.kind === 'alike' ? [`it looks like a gate, but ${standing.why}; it is wrapped like any server`] : []),
    ...(isOff ? ['it is switched off, and stays so'] : []),
  ]
}

function leftAs(entry: ServerEntry, why: string): EntryPlan {
  return { entry, label: null, notes: [], fate: { kind: 'left', why } }
}
