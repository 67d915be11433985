import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { HostName } from './programs.ts'

/**
 * What became of the marked call: it ran; the model was told that it did not run; or the host still waits.
 */
export const FATES = ['runs', 'refuses', 'waits'] as const
export type Fate = (typeof FATES)[number]

/**
 * How the hook is installed: as it is; with the host's own fail-closed setting; or in a shell line that turns every
 * exit code but 0 into 2 with a message.
 */
export const PROTECTIONS = ['bare', 'fail_closed', 'guarded'] as const
export type Protection = (typeof PROTECTIONS)[number]

/** Failures by what the host does after them. */
export type Fates = Readonly<Record<Fate, readonly string[]>>

export interface DeadHooks {
  readonly failures: Readonly<Record<string, string>>
  readonly hosts: Readonly<Record<HostName, readonly KnownHost[]>>
}

export type KnownHost = { readonly versions: readonly string[] } & Readonly<Partial<Record<Protection, Fates>>>

/** What each host does when its hook fails, as measured. */
export const DEAD_HOOKS: DeadHooks = parse(readFileSync(join(import.meta.dirname, '../dead-hooks.yaml'), 'utf8'))

export function knownFates(host: HostName, version: string, protection: Protection): Fates | undefined {
  return DEAD_HOOKS.hosts[host].find(({ versions }) => versions.includes(version))?.[protection]
}

export function knownFate(fates: Fates, failure: string): Fate | undefined {
  return FATES.find((fate) => fates[fate].includes(failure))
}
