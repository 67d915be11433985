import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Json, JsonObject } from '@countersign/core'
import { isObject } from '../json-value.ts'
import type { ClientShape } from './client-table.ts'
import { type ConfigText, type ServerEntry, textOf } from './config-text.ts'
import { type GateLine, looksGated, readGateLine } from './gate-line.ts'
import type { Installation, Launcher } from './installation.ts'
import type { PlacedFile } from './read-config.ts'
import { placeProblem, wordsOf } from './server-words.ts'
import type { WrappedFile, WrappedText } from './wrapped-files.ts'

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
  const env = entry.data[file.client.shape.env]
  const kept = keptText(entry, config, record)
  if (kept?.after === textOf(config, entry)) {
    const program = missingProgram(kept.launcher)
    if (program !== undefined) return { kind: 'gone', program, kept }
    const line = readGateLine(words, kept.launcher, env)
    if (line !== null) return { kind: 'gated', line, kept }
  }
  const line = gateLineOf(words, [...launchersIn(file, installation), ...(kept === null ? [] : [kept.launcher])], env)
  if (line === null) return looksGated(words) ? { kind: 'alike', why: 'it does not start this one' } : { kind: 'open' }
  const cause = changingMember(entry.data, file.client.shape, line.launcher)
  if (cause !== undefined) return { kind: 'alike', why: `its \`${cause}\` can make another program of it` }
  if (line.home !== null && !homes.includes(line.home)) return { kind: 'alike', why: 'it has another home' }
  return { kind: 'gated', line, kept: null }
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

/** What the record holds of a server: under its own name, or its exact text under another. */
export function keptText(entry: ServerEntry, config: ConfigText, record: WrappedFile | undefined): WrappedText | null {
  const all = record?.entries ?? []
  const text = textOf(config, entry)
  return all.find(({ path }) => isDeepStrictEqual(path, entry.path)) ?? all.find(({ after }) => after === text) ?? null
}

/** A program or script that must be there for a launcher to start, and is not. */
function missingProgram(launcher: Launcher): string | undefined {
  return launcher.find((word) => isAbsolute(word) && !existsSync(word))
}

const LOADING = /^(?:NODE_OPTIONS|LD_[A-Z_]+|DYLD_[A-Z_]+)$/

/** A variable that can make another program of the gate itself; undefined when there is none. */
export function loadingVariable(env: Json | undefined, launcher: Launcher): string | undefined {
  if (!isObject(env)) return undefined
  const isFound = !isAbsolute(launcher[0] ?? '')
  return Object.keys(env).find((name) => LOADING.test(name) || (isFound && name === 'PATH'))
}

/** The same, or a file of variables, which nobody has read. */
function changingMember(data: JsonObject, shape: ClientShape, launcher: Launcher): string | undefined {
  return loadingVariable(data[shape.env], launcher) ?? (data['envFile'] === undefined ? undefined : 'envFile')
}
