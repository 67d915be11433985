import { resolve } from 'node:path'
import type { Bounds } from '@countersign/core'
import type { Command } from 'commander'

/** The flags that set the bounds of a sandbox. */
export interface BoundsFlags {
  readonly write?: readonly string[]
  readonly read?: readonly string[]
  readonly network?: readonly string[]
  readonly credentials?: readonly string[]
  readonly readOnly?: boolean
}

/** Adds the flags. */
export function addBoundsFlags(command: Command): Command {
  return command
    .option('--read-only', 'make the workspace read-only too')
    .option('--write <dir>', 'another folder it can write to; repeatable', collect)
    .option('--read <dir>', 'another folder it can read; repeatable', collect)
    .option('--network <host>', 'a host it can reach (default: none); repeatable', collect)
    .option('--credentials <name>', 'credentials it can read, such as `git` or `npm`; repeatable', collect)
}

/** The bounds that the flags ask for. */
export function boundsOf(flags: BoundsFlags, cwd: string): Bounds {
  const { write = [], read = [], network = [], credentials = [], readOnly } = flags
  const folder = (path: string): string => resolve(cwd, path)
  return {
    workspace: readOnly === true ? 'read' : 'write',
    write: write.map(folder),
    read: read.map(folder),
    network,
    credentials,
  }
}

/** The flags as words, for another process. */
export function flagWords({ workspace, write, read, network, credentials }: Bounds): readonly string[] {
  const each = (flag: string, values: readonly string[]): readonly string[] => values.flatMap((one) => [flag, one])
  return [
    ...(workspace === 'read' ? ['--read-only'] : []),
    ...each('--write', write),
    ...each('--read', read),
    ...each('--network', network),
    ...each('--credentials', credentials),
  ]
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
