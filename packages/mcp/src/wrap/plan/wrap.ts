import type { Home } from '@countersign/node'
import { openConfig, type PlacedFile } from '../config/placed-file.ts'
import { type ConfigText, type ServerEntry, textOf } from '../config/text.ts'
import { readBackup } from '../entry/backups.ts'
import { wrapLine } from '../entry/command-line.ts'
import type { EntryFate } from '../entry/edit-result.ts'
import { changingVariable, environmentHash } from '../entry/environment.ts'
import { type Gates, type Standing, standingOf } from '../entry/gate-status.ts'
import type { Launcher } from '../entry/installation.ts'
import { lineLabel } from './label-claims.ts'
import type { Labels } from './labels.ts'
import { notesOn, notesOnLauncher, notesOnName } from './notes.ts'
import { type ConfigPlan, type EntryPlan, finishPlan, sameEntry } from './plan.ts'
import { wrapEntry } from './wrap-entry.ts'

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
    const standing = contested(standingOf(entry, config, placed, options.gates, record), placed, options.labels)
    const starts = standing.kind === 'gated' ? standing.line.launcher : launcher
    const variable = changingVariable(entry.data[placed.client.shape.env], starts)
    const notes =
      variable === undefined ? [] : [`its \`${variable}\` is in force for the gate, too; look at what it does`]
    const why = whyLeft(standing, options.flags)
    if (why !== null) return { ...leftAs(entry, why), notes: [...notesOnName(entry, standing), ...notes] }
    const { posers, ...made } = wrapped(entry, config, placed, launcher, options)
    return { entry, ...made, notes: [...notesOn(entry, standing), ...posers, ...notes] }
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
 * A gate that `wrap` did not write counts as none when its name is another server's. SECURITY: A20 rules are written for names:
 * behind a gate of its own, under a name of its own, it gets those of neither.
 */
function contested(standing: Standing, file: PlacedFile, labels: Labels): Standing {
  if (standing.kind !== 'gated' || standing.kept !== null) return standing
  const rival = labels.rivalOf(standing.line, file)
  if (rival === null) return standing
  const who = rival === 'pins' ? 'a server that was met before' : `\`${rival.name}\` in \`${rival.path}\``
  return { kind: 'alike', why: `it calls itself \`${lineLabel(standing.line)}\`, which is the name of ${who}` }
}

interface Wrapped {
  readonly label: string | null
  readonly fate: EntryFate
  /** What else goes by its name. */
  readonly posers: readonly string[]
}

function wrapped(
  entry: ServerEntry,
  config: ConfigText,
  placed: PlacedFile,
  launcher: Launcher,
  options: WrapOptions,
): Wrapped {
  const { labels } = options
  const found: { label: string | null; posers: readonly string[] } = { label: null, posers: [] }
  const fate = wrapEntry(entry, config.text, placed.client.shape, (inner, more) => {
    const label = labels.labelFor(entry.name, inner, placed)
    found.label = label
    found.posers = labels
      .posersFor(label, inner)
      .map(
        ({ name, path }) =>
          `\`${name}\` in \`${path}\` calls itself \`${label}\`, too, which \`wrap\` did not write; look at it`,
      )
    return wrapLine(launcher, { ...options, label, flags: [...options.flags, ...more] }, inner)
  })
  return { ...found, fate }
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

function leftAs(entry: ServerEntry, why: string): EntryPlan {
  return { entry, label: null, notes: [], fate: { kind: 'left', why } }
}
