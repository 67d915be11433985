import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Json } from '@countersign/core'
import type { PlacedFile } from '../config/placed-file.ts'
import { type ConfigText, type ServerEntry, textOf } from '../config/text.ts'
import type { WrappedFile, WrappedText } from './backups.ts'
import { type GateLine, looksGated, readGateLine } from './command-line-parser.ts'
import { changingMember, environmentHash } from './environment.ts'
import type { Installation, Launcher } from './installation.ts'
import { placeProblem, wordsOf } from './server-command.ts'

/** How a server of a configuration stands to the gate. */
export type Standing =
  /** It is started by this installation: by its words, or because `wrap` wrote it and it is unchanged. */
  | { readonly kind: 'gated'; readonly line: GateLine; readonly kept: WrappedText | null }
  /** `wrap` wrote it and it is unchanged, but what it starts is no longer there. */
  | { readonly kind: 'gone'; readonly program: string; readonly kept: WrappedText }
  /** It looks like a gate, and is not known to be this one. */
  | { readonly kind: 'alike'; readonly why: string }
  | { readonly kind: 'open' }

/** Whose gate counts. */
export interface Gates {
  /** The spellings of the home that the person chose; the account's own always counts. */
  readonly homes: readonly string[]
  readonly installation: Installation
}

/**
 * How one server stands. SECURITY: A1 a configuration may come with a repository: only words that start this very program
 * count, or what our own record says we wrote there; and only a home that the person chose.
 */
export function standingOf(
  entry: ServerEntry,
  config: ConfigText,
  file: PlacedFile,
  { homes, installation }: Gates,
  record: WrappedFile | undefined,
): Standing {
  const words = wordsOf(entry.data)
  if (words === null || typeof words === 'string' || placeProblem(entry.data) !== null) return { kind: 'open' }
  const { shape } = file.client
  const env = entry.data[shape.env]
  const kept = keptText(entry, config, record)
  if (kept?.after === textOf(config, entry)) {
    const program = missingProgram(kept.launcher)
    if (program !== undefined) return { kind: 'gone', program, kept }
    const line = readGateLine(words, kept.launcher, env)
    const isSame = kept.environment === environmentHash(entry.data, shape)
    const cause = isSame ? undefined : changingMember(entry.data, shape, kept.launcher)
    if (cause !== undefined) return { kind: 'alike', why: changes(cause) }
    if (line !== null) return { kind: 'gated', line, kept }
  }
  const line = gateLineOf(words, [...launchersIn(file, installation), ...(kept === null ? [] : [kept.launcher])], env)
  if (line === null)
    return looksGated(words) ? { kind: 'alike', why: 'it is not known to start this one' } : { kind: 'open' }
  const cause = changingMember(entry.data, shape, line.launcher)
  if (cause !== undefined) return { kind: 'alike', why: changes(cause) }
  if (line.home !== null && !homes.includes(line.home)) return { kind: 'alike', why: 'it has another home' }
  return { kind: 'gated', line, kept: null }
}

function changes(member: string): string {
  return `its \`${member}\` can change what it does`
}

/** Everything that is known to start this installation from a file. */
export function launchersIn(file: PlacedFile, installation: Installation): readonly Launcher[] {
  return [installation.launcherFor(file), ...installation.launchers]
}

/** A line that one of these launchers starts. */
export function gateLineOf(words: readonly string[], launchers: readonly Launcher[], env?: Json): GateLine | null {
  for (const launcher of launchers) {
    const line = readGateLine(words, launcher, env)
    if (line !== null) return line
  }
  return null
}

/**
 * What the record holds of a server: its exact text, under its own name or another; or else what was under its name, unless
 * that is a server of another name now.
 */
export function keptText(entry: ServerEntry, config: ConfigText, record: WrappedFile | undefined): WrappedText | null {
  const all = record?.entries ?? []
  const text = textOf(config, entry)
  const named = all.filter(({ path }) => isDeepStrictEqual(path, entry.path))
  const isElsewhere = ({ after }: WrappedText) => config.entries.some((other) => textOf(config, other) === after)
  return (
    named.find(({ after }) => after === text) ??
    all.find(({ after }) => after === text) ??
    named.findLast((one) => !isElsewhere(one)) ??
    null
  )
}

/** A program or script that must be there for a launcher to start, and is not. */
function missingProgram(launcher: Launcher): string | undefined {
  return launcher.find((word) => isAbsolute(word) && !existsSync(word))
}
