import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { BUILTIN_CHECKS, CountersignError, type PolicyFile, safeText } from '@countersign/core'
import { type Home, openPolicyFiles, openWorkspace } from '@countersign/node'
import type { Io } from '../terminal/io.ts'

const MOST_BYTES = 262_144

/** The built-in checkers. Checkers registered by other programs are unknown here. */
export const CHECKERS: readonly string[] = BUILTIN_CHECKS

/** Every active policy and knowledge file: managed, the user's, and the project's in the current folder. */
export function filesInForce(home: Home, io: Io): Promise<readonly PolicyFile[]> {
  return openPolicyFiles({ home, workspace: workspaceOr(home, io) }).read()
}

/** Reads files from the command line as files of a layer. Project files count as trusted. */
export function namedFiles(
  paths: readonly string[],
  layer: PolicyFile['layer'],
  io: Io,
  form: Pick<PolicyFile, 'form'> = {},
): Promise<readonly PolicyFile[]> {
  return Promise.all(
    paths.map(async (path) => ({
      layer,
      ...form,
      name: path,
      text: await readPolicyFile(resolve(io.cwd, path)),
      trusted: true,
    })),
  )
}

/** Groups files by layer, as if trusted: each layer is tested on its own. */
export function byLayer(files: readonly PolicyFile[]): readonly (readonly PolicyFile[])[] {
  const layers = Map.groupBy(files, (file) => file.layer)
  return [...layers.values()].map((group) => group.map((file) => ({ ...file, trusted: true })))
}

async function readPolicyFile(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new CountersignError('CS_POLICY_READ', `\`${safeText(path)}\` cannot be read (${code}); check the path`, {
      cause: error,
    })
  })
  if (bytes.length > MOST_BYTES)
    throw new CountersignError(
      'CS_POLICY_TOO_LARGE',
      `\`${safeText(path)}\` is over 256 KiB; split it into several files`,
    )
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new CountersignError('CS_POLICY_READ', `\`${safeText(path)}\` is not UTF-8 text; save it as UTF-8`, {
      cause: error,
    })
  }
}

/** The workspace, or the home if the current folder cannot be one: then there is no project policy. */
export function workspaceOr(home: Home, io: Io): string {
  try {
    return openWorkspace(io.cwd)
  } catch (error) {
    if (error instanceof CountersignError && error.code === 'CS_WORKSPACE') return home.dir
    throw error
  }
}
