import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Json, JsonObject } from '@countersign/core'
import type { InstalledEvent } from '../../contract/host-contract.ts'
import type { HostName } from '../../contract/host-name.ts'
import { settingsVariable } from '../../hosts/settings-variable.ts'
import type { JsonPath } from '../files/json-text.ts'

/** Whose settings are edited: this account's, or this project's. */
export type Scope = 'user' | 'project'

/** One hook as a file of an agent spells it. */
export interface SpelledHook {
  readonly event: string
  readonly handler: JsonObject
}

/** A file that an agent reads its hooks from, with what it must contain. */
export type HookFile =
  /** Hooks beside other settings: `hooks.<event>` is a list of handlers, or of groups of handlers. */
  | {
      readonly kind: 'hooks'
      readonly path: string
      readonly dialect: 'json' | 'jsonc'
      readonly shape: 'groups' | 'handlers'
      /** Written into a new file, such as `version: 1`. */
      readonly head: JsonObject
      readonly hooks: readonly SpelledHook[]
    }
  /** One value of a settings file. */
  | { readonly kind: 'member'; readonly path: string; readonly at: JsonPath; readonly value: Json }
  /** The same hooks as tables of a TOML file. */
  | { readonly kind: 'toml'; readonly path: string; readonly hooks: readonly SpelledHook[] }
  /** A file that is ours alone. */
  | { readonly kind: 'own'; readonly path: string; readonly text: string; readonly mode: number }

/** What spelling an agent's hooks needs. */
export interface HookPlace {
  readonly accountHome: string
  readonly project: string
  readonly platform: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly scope: Scope
  /** The agent's version; null if unknown. */
  readonly version: string | null
  readonly events: readonly InstalledEvent[]
  /** The command line for an event, which refuses the tool if the hook fails. */
  line(event: InstalledEvent): string
  /** The words that start the hook without a shell. The event's name is added at their end. */
  readonly words: readonly string[]
  /** How long the agent waits for a hook at most, in seconds; a day if absent. */
  readonly patienceS?: number
}

/** A person has a day to answer. Every agent accepts it. */
const DAY_S = 86_400
/** A report takes milliseconds; an agent never waits longer for one. */
const REPORT_S = 60

/** How long the agent waits for the hook of an event, in seconds. */
export function patienceOf({ kind }: InstalledEvent, { patienceS = DAY_S }: Pick<HookPlace, 'patienceS'>): number {
  return kind === 'before' ? patienceS : Math.min(patienceS, REPORT_S)
}

/**
 * The folders of an agent's own settings. One that a variable names is added: whoever sets the variable in one terminal only
 * still has a gated agent in the others.
 */
export function settingsFolders(
  host: HostName,
  usual: string,
  { accountHome, env }: Pick<HookPlace, 'accountHome' | 'env'>,
): readonly string[] {
  const folder = join(accountHome, usual)
  const variable = settingsVariable(host)
  const named = variable === undefined ? undefined : env[variable]
  if (named === undefined || !isAbsolute(named) || named === folder) return [folder]
  return existsSync(folder) ? [folder, named] : [named]
}
