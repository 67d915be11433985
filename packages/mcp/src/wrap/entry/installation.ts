import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { PlacedFile } from '../config/placed-file.ts'

/** Words of a command line that start Countersign. */
export type Launcher = readonly string[]

/** How this very Countersign is started. */
export interface Installation {
  /** What `wrap` writes into a file. */
  launcherFor(file: Pick<PlacedFile, 'place'>): Launcher
  /** Every spelling that is known to start this one. SECURITY: A1 whole words are compared, and nothing is guessed. */
  readonly launchers: readonly Launcher[]
  /** What a bare `countersign` is on the path: this one, another, or nothing. */
  readonly onPath: 'this' | 'another' | 'none'
}

/** What is known of the running process. */
export interface Running {
  readonly node: string
  readonly nodeFlags: readonly string[]
  readonly script: string | undefined
  /** The search path of the person who wraps. */
  readonly path: string | undefined
  /** `--launcher`: a person's word for what starts it. */
  readonly launcher?: string
}

/** Finds out how the running Countersign can be started again. */
export function findInstallation({ node, nodeFlags, script, path, launcher }: Running): Installation {
  const entry = script === undefined ? undefined : realOf(script)
  const found = onPath(path, 'countersign')
  const isThis = found !== undefined && entry !== undefined && realOf(found) === entry
  // Node knows itself by a path with its version in it, which goes with the next update (Homebrew); the name by which a person
  // has it on the path stays. Node comes first in either case: a script would have `env` look for one on the client's `PATH`.
  const named = onPath(path, 'node')
  const steady = named !== undefined && realOf(named) === realOf(node) ? named : node
  const whole: Launcher = entry === undefined ? ['countersign'] : [steady, ...nodeFlags, entry]
  return {
    // Its whole path: desktop programs do not have a person's `PATH`. Project files are shared, so the name is there.
    launcherFor: ({ place }) =>
      launcher === undefined ? (place.base === 'project' ? ['countersign'] : whole) : [launcher],
    launchers: [
      ...(entry === undefined ? [] : [whole, [node, ...nodeFlags, entry], [steady, entry], [node, entry], [entry]]),
      ...(isThis ? [['countersign'], [found]] : []),
    ],
    onPath: found === undefined ? 'none' : isThis ? 'this' : 'another',
  }
}

/**
 * The program that is found under a bare name. SECURITY: A1 what a relative folder finds depends on where a client is
 * started, so nothing is known behind one; and npm's own folders are on the path of what npm runs, not of a client.
 */
function onPath(path: string | undefined, name: string): string | undefined {
  for (const folder of (path ?? '').split(delimiter)) {
    if (!isAbsolute(folder)) return undefined
    if (folder.endsWith('/node_modules/.bin')) continue
    const program = join(folder, name)
    if (isProgram(program)) return program
  }
  return undefined
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** A path that leads nowhere is itself, and equals no other. */
function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
