import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { BUILTIN_CHECKS, CountersignError, type PolicyFile, safeText } from '@countersign/core'
import { type Home, openPolicyFiles, openWorkspace } from '@countersign/node'
import type { Io } from '../terminal/io.ts'

const MOST_BYTES = 262_144

/** Checkers that rules may name anywhere: those built in. What a program registers of its own is known only to it. */
export const CHECKERS: readonly string[] = BUILTIN_CHECKS

/** Every policy file in force: an organisation's, the person's, and the project's of the current folder. */
export function filesInForce(home: Home, io: Io): Promise<readonly PolicyFile[]> {
  return openPolicyFiles({ home, workspace: workspaceOr(home, io) }).read()
}

/** Files named on the command line, read as if they stood in a layer. A project's speaks as its author meant it. */
export function givenFiles(
  paths: readonly string[],
  layer: PolicyFile['layer'],
  io: Io,
): Promise<readonly PolicyFile[]> {
  return Promise.all(
    paths.map(async (path) => ({ layer, name: path, text: await readGiven(resolve(io.cwd, path)), trusted: true })),
  )
}

async function readGiven(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new CountersignError('CS_POLICY_READ', `\`${safeText(path)}\` cannot be read (${code}); check the path`, {
      cause: error,
    })
  })
  if (bytes.length > MOST_BYTES)
    throw new CountersignError(
      'CS_POLICY_TOO_LARGE',
      `\`${safeText(path)}\` is over 256 KiB; split it into files in \`policy.d\``,
    )
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new CountersignError('CS_POLICY_READ', `\`${safeText(path)}\` is not UTF-8 text; save it as UTF-8`, {
      cause: error,
    })
  }
}

/** In a folder that may not be a workspace there is no project, and so no project's policy. */
function workspaceOr(home: Home, io: Io): string {
  try {
    return openWorkspace(io.cwd)
  } catch (error) {
    if (error instanceof CountersignError && error.code === 'CS_WORKSPACE') return home.dir
    throw error
  }
}
