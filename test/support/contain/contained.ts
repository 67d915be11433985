import { chmodSync, chownSync, lchownSync, mkdirSync, readdirSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bounds, Places } from '@countersign/core'
import { type Command, type ContainedEnd, type Limits, runContained } from '@countersign/node'
import { describe } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { hasBubblewrap } from './bubblewrap.ts'

/** `describe` for tests that need the sandbox. On CI they fail without it. */
export const describeContained = describe.skipIf(!hasBubblewrap() && process.env['CI'] !== 'true')

/** The account `nobody`. */
export const NOBODY = 65_534

/** Who owns the workspace, and so runs contained commands. */
export type Runner = 'this user' | 'another user'

/** The runners that tests can use: only root can act as another user. */
export const RUNNERS: readonly Runner[] = process.getuid?.() === 0 ? ['this user', 'another user'] : ['this user']

export type Finished = ContainedEnd & { readonly output: string }

/** A folder with a workspace and the gate's home side by side, and files outside. */
export interface ContainedWorld {
  readonly root: string
  readonly workspace: string
  readonly gate: string
  readonly places: Places
  run(command: string | Command, options?: RunChoices): Promise<Finished>
}

export interface RunChoices {
  readonly bounds?: Partial<Bounds>
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  readonly limits?: Partial<Limits>
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

const OWN_WORKSPACE: Bounds = { workspace: 'write', write: [], read: [], network: [], credentials: [] }

/** Makes such a folder. It is removed when the test ends. */
export function containedWorld(runner: Runner = 'this user', home = homedir()): ContainedWorld {
  const root = temporaryFolder()
  chmodSync(root, 0o755)
  const workspace = join(root, 'workspace')
  const gate = join(root, 'gate')
  mkdirSync(workspace)
  mkdirSync(gate, { mode: 0o700 })
  const places = { workspace, home, gate, temp: tmpdir() }
  return {
    root,
    workspace,
    gate,
    places,
    async run(command, { bounds, cwd = workspace, ...options } = {}) {
      if (runner === 'another user') give(workspace, NOBODY)
      let output = ''
      const ended = await runContained(typeof command === 'string' ? { command } : command, {
        cwd,
        places,
        bounds: { ...OWN_WORKSPACE, ...bounds },
        stdio: 'pipe',
        onOutput: (_, chunk) => {
          output += chunk.toString('utf8')
        },
        timeoutMs: 30_000,
        ...options,
      })
      return { ...ended, output }
    },
  }
}

function give(path: string, id: number): void {
  chownSync(path, id, id)
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) give(join(path, entry.name), id)
    else lchownSync(join(path, entry.name), id, id)
  }
}
