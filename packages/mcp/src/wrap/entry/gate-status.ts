import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Json } from '@countersign/core'
import type { PlacedFile } from '../config/client-files.ts'
import { type ConfigText, type ServerEntry, textOf } from '../config/text.ts'
import type { WrappedEntry, WrappedFile } from './backups.ts'
import { type GateLine, looksGated, readGateLine } from './command-line.ts'
import { environmentHash, hazardousMember } from './environment.ts'
import type { Installation, Launcher } from './installation.ts'
import { commandWords, targetProblem } from './server-target.ts'

/** Whether a server entry is behind the gate. */
export type GateStatus =
  /** Started by this installation: its words prove it, or `wrap` wrote it and it is unchanged. */
  | { readonly kind: 'gated'; readonly line: GateLine; readonly recorded: WrappedEntry | null }
  /** `wrap` wrote it and it is unchanged, but the program it starts no longer exists. */
  | { readonly kind: 'missing'; readonly program: string; readonly recorded: WrappedEntry }
  /** It looks like a gate, but cannot be shown to be this one. */
  | { readonly kind: 'lookalike'; readonly why: string }
  | { readonly kind: 'open' }

/** The gates that are recognized. */
export interface Gates {
  /** The homes that the person chose; the account's default always counts. */
  readonly homes: readonly string[]
  readonly installation: Installation
}

/**
 * The status of one server. SECURITY: A1 a configuration may come with a repository, so only words that start this very program
 * count, or an entry that our own record shows; and only with a home that the person chose.
 */
export function gateStatusOf(
  entry: ServerEntry,
  config: ConfigText,
  file: PlacedFile,
  { homes, installation }: Gates,
  record: WrappedFile | undefined,
): GateStatus {
  const words = commandWords(entry.data)
  if (words === null || typeof words === 'string' || targetProblem(entry.data) !== null) return { kind: 'open' }
  const { shape } = file.client
  const env = entry.data[shape.env]
  const recorded = recordedEntry(entry, config, record)
  if (recorded?.after === textOf(config, entry)) {
    const program = missingProgram(recorded.launcher)
    if (program !== undefined) return { kind: 'missing', program, recorded }
    const line = readGateLine(words, recorded.launcher, env)
    const isSame = recorded.environment === environmentHash(entry.data, shape)
    const hazard = isSame ? undefined : hazardousMember(entry.data, shape, recorded.launcher)
    if (hazard !== undefined) return { kind: 'lookalike', why: changes(hazard) }
    if (line !== null) return { kind: 'gated', line, recorded }
  }
  const line = findGateLine(
    words,
    [...launchersIn(file, installation), ...(recorded === null ? [] : [recorded.launcher])],
    env,
  )
  if (line === null)
    return looksGated(words) ? { kind: 'lookalike', why: 'it does not start this installation' } : { kind: 'open' }
  const hazard = hazardousMember(entry.data, shape, line.launcher)
  if (hazard !== undefined) return { kind: 'lookalike', why: changes(hazard) }
  if (line.home !== null && !homes.includes(line.home)) return { kind: 'lookalike', why: 'it uses another home' }
  return { kind: 'gated', line, recorded: null }
}

function changes(member: string): string {
  return `its \`${member}\` can change what it does`
}

/** Every known way to start this installation from a file. */
export function launchersIn(file: PlacedFile, installation: Installation): readonly Launcher[] {
  return [installation.launcherFor(file), ...installation.launchers]
}

/** Parses a command line by the first launcher that fits. */
export function findGateLine(words: readonly string[], launchers: readonly Launcher[], env?: Json): GateLine | null {
  for (const launcher of launchers) {
    const line = readGateLine(words, launcher, env)
    if (line !== null) return line
  }
  return null
}

/**
 * The recorded entry of a server: by its exact text, under any name; or else by its name, unless that text now has another
 * name.
 */
export function recordedEntry(
  entry: ServerEntry,
  config: ConfigText,
  record: WrappedFile | undefined,
): WrappedEntry | null {
  const all = record?.entries ?? []
  const text = textOf(config, entry)
  const named = all.filter(({ path }) => isDeepStrictEqual(path, entry.path))
  const isRenamed = ({ after }: WrappedEntry) => config.entries.some((other) => textOf(config, other) === after)
  return (
    named.find(({ after }) => after === text) ??
    all.find(({ after }) => after === text) ??
    named.findLast((one) => !isRenamed(one)) ??
    null
  )
}

/** A program or script of the launcher that does not exist. */
function missingProgram(launcher: Launcher): string | undefined {
  return launcher.find((word) => isAbsolute(word) && !existsSync(word))
}
