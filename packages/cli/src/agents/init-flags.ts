import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { CountersignError, safeText } from '@countersign/core'
import { HOST_NAMES, type HostName, isHostName, type Machine } from '@countersign/hosts'
import { accountHome, openWorkspace } from '@countersign/node'
import type { Io } from '../terminal/io.ts'

export interface InitFlags {
  readonly only?: readonly string[]
  readonly project?: true
  readonly in?: readonly string[]
  readonly ask?: 'desk' | 'host'
  readonly service?: true
  readonly trustHooks?: true
  readonly importRules?: true
  readonly undo?: true
  readonly dryRun?: true
  readonly yes?: true
  readonly accountHome?: string
  readonly allowUnstablePath?: true
}

/** The agents of `--only`; null for all. */
export function onlyHosts({ only }: InitFlags): readonly HostName[] | null {
  if (only === undefined) return null
  const unknown = only.find((name) => !isHostName(name))
  if (unknown === undefined) return only.filter(isHostName)
  throw new CountersignError(
    'CS_USAGE',
    `unknown agent \`${safeText(unknown)}\`; known agents: ${HOST_NAMES.join(', ')}`,
  )
}

/** The folders of `--in`, by their real paths; undefined if there are none. */
export function withinOf({ in: folders }: InitFlags, io: Io): readonly string[] | undefined {
  return folders?.map((folder) => {
    const path = resolve(io.cwd, folder)
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return realpathSync(path)
    throw new CountersignError(
      'CS_USAGE',
      `\`${safeText(folder)}\` is not a folder; name an existing one with \`--in\``,
    )
  })
}

/** SECURITY: the account's home, not `HOME`: whoever sets an environment must not choose which files are edited. */
export function machineOf(flags: InitFlags, io: Io): Machine {
  const home = flags.accountHome === undefined ? accountHome() : resolve(io.cwd, flags.accountHome)
  if (home === undefined)
    throw new CountersignError('CS_USAGE', 'this account has no home folder; pass one with `--account-home <dir>`')
  const project = flags.project === undefined ? io.cwd : openWorkspace(io.cwd)
  return { accountHome: home, project, platform: process.platform, env: io.env }
}
