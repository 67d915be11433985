import { existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { isExecutable } from '@countersign/node'
import type { PlacedFile } from '../config/client-files.ts'

/** The words of a command line that start Countersign. */
export type Launcher = readonly string[]

/** Why the path of the running Countersign will not last: it is a clone, a project's dependency, or a package cache. */
export type UnstablePath = 'clone' | 'project' | 'cache'

/** How to start the Countersign that is running now. */
export interface Installation {
  /** The words that `wrap` writes into a file. */
  launcherFor(file: { readonly place: Pick<PlacedFile['place'], 'base'> }): Launcher
  /** Every spelling known to start this installation. SECURITY: A1 compared word by word, never guessed. */
  readonly launchers: readonly Launcher[]
  /** What a bare `countersign` on the `PATH` starts. */
  readonly onPath: 'this' | 'another' | 'none'
  /** Why the path in `launcherFor` may stop working; null for an installed command. */
  readonly unstable: { readonly kind: UnstablePath; readonly path: string } | null
}

/** Facts about the running process. */
export interface Running {
  readonly node: string
  readonly nodeFlags: readonly string[]
  readonly script: string | undefined
  /** The `PATH` of the person who wraps. */
  readonly path: string | undefined
  /** `--launcher`: the program that the person chose. */
  readonly launcher?: string
}

/** Finds the words that start the running Countersign, preferring paths that survive an update. */
export function findInstallation({ node, nodeFlags, script, path, launcher }: Running): Installation {
  const entry = script === undefined ? undefined : realPath(script)
  const found = findOnPath(path, 'countersign')
  const isThis = found !== undefined && entry !== undefined && realPath(found) === entry
  // `process.execPath` may hold a version (Homebrew); the link on the `PATH` survives updates. Node always comes first, because
  // a script's `#!/usr/bin/env node` would search the client's `PATH`.
  const nodeOnPath = findOnPath(path, 'node')
  const stableNode = nodeOnPath !== undefined && realPath(nodeOnPath) === realPath(node) ? nodeOnPath : node
  const link = isThis ? found : entry === undefined ? undefined : globalLink(entry)
  const installed = link ?? entry
  const absolute: Launcher = installed === undefined ? ['countersign'] : [stableNode, ...nodeFlags, installed]
  const spellings = [entry, link].flatMap((start) =>
    start === undefined
      ? []
      : [[stableNode, ...nodeFlags, start], [node, ...nodeFlags, start], [stableNode, start], [node, start], [start]],
  )
  return {
    // Absolute in the person's own files, because desktop programs do not have their `PATH`. Project files are shared.
    launcherFor: ({ place }) =>
      launcher === undefined ? (place.base === 'project' ? ['countersign'] : absolute) : [launcher],
    launchers: [...spellings, ...(isThis ? [['countersign']] : [])],
    onPath: found === undefined ? 'none' : isThis ? 'this' : 'another',
    unstable: launcher !== undefined || installed === undefined ? null : unstablePath([installed, stableNode]),
  }
}

/** npm's own link to a globally installed package: `<prefix>/bin/countersign` for `<prefix>/lib/node_modules/countersign/…`. */
function globalLink(entry: string): string | undefined {
  const prefix = /^(.*)\/lib\/node_modules\/countersign\//.exec(entry)?.[1]
  const link = prefix === undefined ? undefined : join(prefix, 'bin', 'countersign')
  return link !== undefined && realPath(link) === entry ? link : undefined
}

/** Where package managers install for a single run: npx, `pnpm dlx`, `yarn dlx`, bunx. */
const CACHE = /[/\\](?:_npx|dlx(?:-[^/\\]+)?|xfs-[^/\\]+|bunx-[^/\\]+)[/\\]/

function unstablePath(paths: readonly string[]): Installation['unstable'] {
  for (const path of paths) {
    if (CACHE.test(path)) return { kind: 'cache', path }
    if (path.includes('/node_modules/')) return { kind: 'project', path }
    // A published package has no sources beside `bin/`.
    if (existsSync(join(dirname(dirname(path)), 'src', 'main.ts'))) return { kind: 'clone', path }
  }
  return null
}

/** One clause for a person: why the path may stop working. */
export function unstableReason({ kind, path }: NonNullable<Installation['unstable']>): string {
  const what = {
    clone: `this Countersign runs from a clone (\`${path}\`)`,
    project: `this Countersign runs from a project's dependencies (\`${path}\`)`,
    cache: `this Countersign was installed for a single run (\`${path}\`)`,
  }[kind]
  return `${what}, so the path in a client's settings could stop working`
}

/**
 * The program that a bare name starts. SECURITY: A1 a relative folder on the `PATH` depends on where a client is started, so
 * the search stops there; npm's `node_modules/.bin` folders are on the `PATH` of npm's children only, not of a client.
 */
function findOnPath(path: string | undefined, name: string): string | undefined {
  for (const folder of (path ?? '').split(delimiter)) {
    if (!isAbsolute(folder)) return undefined
    if (folder.endsWith('/node_modules/.bin')) continue
    const program = join(folder, name)
    if (isExecutable(program)) return program
  }
  return undefined
}

/** The path itself when it leads nowhere. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
