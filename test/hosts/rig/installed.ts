import { HOST_NAMES, type HostName, installedCommand, PROGRAMS } from './programs.ts'

/** One version of one coding agent. */
export interface HostVersion {
  readonly host: HostName
  readonly version: string
}

const ALL: readonly HostVersion[] = HOST_NAMES.flatMap((host) =>
  PROGRAMS[host].versions.map((version) => ({ host, version })),
)

const isInstalled = ({ host, version }: HostVersion): boolean => installedCommand(host, version) !== undefined

export const INSTALLED: readonly HostVersion[] = ALL.filter(isInstalled)
export const LEFT_OUT: readonly HostVersion[] = ALL.filter((one) => !isInstalled(one))
export const isNewest = ({ host, version }: HostVersion): boolean => PROGRAMS[host].versions[0] === version
/** The newest version of each agent. */
export const NEWEST: readonly HostVersion[] = INSTALLED.filter(isNewest)
