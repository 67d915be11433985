import { SETS } from './compiled/network.ts'

/** How a program's words name hosts: see `knowledge/network/programs.yaml`. */
export type WordsAsHosts = 'urls' | 'links' | 'hosts' | 'first' | 'remotes' | 'repository' | 'image' | 'sockets'

/** A row of `knowledge/network/programs.yaml`: which hosts a command contacts. */
export interface ContactRow {
  readonly names: readonly string[]
  readonly takes?: WordsAsHosts
  readonly reader?: 'curl' | 'wget' | 'httpie'
  readonly port?: number
  readonly use?: 'read' | 'send'
  readonly certain?: false
  readonly reads?: readonly string[]
  readonly sends?: readonly string[]
  readonly hosts?: readonly string[]
  readonly via?: readonly string[]
  readonly unseen?: readonly string[]
  readonly sending?: readonly string[]
  readonly line: number
}

const HOST_SETS: Readonly<Record<string, readonly string[]>> = {
  packages: SETS.packages,
  documentation: SETS.documentation,
  'code-hosts': SETS.codeHosts,
}

/** Names of the sets of hosts that a policy may use. */
export const HOST_SET_NAMES: readonly string[] = Object.keys(HOST_SETS)

/** The hosts of a set; undefined if there is none of this name. */
export function hostSet(name: string): readonly string[] | undefined {
  return Object.hasOwn(HOST_SETS, name) ? HOST_SETS[name] : undefined
}
