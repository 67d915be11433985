import { totalmem } from 'node:os'
import { basename } from 'node:path'
import { isExecutable } from '../files/file-identity.ts'
import type { Invocation } from '../process/run-command.ts'

/** The most that a contained command may use. */
export interface Limits {
  readonly processes: number
  /** Of all its processes together. */
  readonly memoryBytes: number
  readonly openFiles: number
  readonly fileBytes: number
  readonly outputBytes: number
  readonly timeoutMs: number
  /** Free space that must stay on each disk that the command can write. */
  readonly freeDiskBytes: number
  /** How many more files each of these disks must still be able to hold. */
  readonly freeFiles: number
}

const BASH = '/bin/bash'
const GIB = 1024 ** 3

export const DEFAULT_LIMITS: Limits = {
  processes: 1_024,
  memoryBytes: Math.max(GIB, Math.floor(totalmem() * 0.6)),
  openFiles: 65_536,
  fileBytes: 8 * GIB,
  outputBytes: GIB,
  timeoutMs: 60 * 60_000,
  freeDiskBytes: GIB / 2,
  freeFiles: 20_000,
}

/**
 * A command that sets the limits of a process and then becomes `file`. Set inside the sandbox, where the kernel counts only
 * its own processes. Root has no limit of processes: `watchLimits` counts those.
 */
export function limitedCommand(limits: Limits, { file, args, argv0, shell }: Invocation): readonly string[] {
  const script = [
    'ulimit -c 0',
    `ulimit -Hn ${limits.openFiles} 2>/dev/null`,
    `ulimit -d ${Math.floor(limits.memoryBytes / 1024)} 2>/dev/null`,
    `ulimit -f ${Math.floor(limits.fileBytes / 512)} 2>/dev/null`,
    // Processes are `-u` in bash and `-p` in dash.
    `{ ulimit -u ${limits.processes} || ulimit -p ${limits.processes}; } 2>/dev/null`,
  ].join('; ')
  // Only bash can set the name a program is called by.
  if (shell !== null || argv0 === file || !(isExecutable(BASH) || basename(file) !== basename(argv0)))
    return ['/bin/sh', '-c', `${script}; exec "$@"`, 'sh', file, ...args]
  return [BASH, '--posix', '-c', `${script}; exec -a "$0" "$@"`, argv0, file, ...args]
}
