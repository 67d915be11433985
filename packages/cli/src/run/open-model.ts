import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { chooseModel, type Model, readScript, scriptedModel } from '@countersign/agent'
import { CountersignError, safeText } from '@countersign/core'
import type { Io } from '../terminal/io.ts'

const MOST_BYTES = 1024 * 1024

/** Opens the scripted model, or the model named by flag, task or environment. */
export async function openModel(
  { script, model }: { readonly script: string | undefined; readonly model: string | undefined },
  io: Pick<Io, 'cwd' | 'env'>,
): Promise<Model> {
  if (script !== undefined && model !== undefined)
    throw new CountersignError('CS_USAGE', '`--script` replaces the model; use either `--script` or `--model`')
  if (script !== undefined) return scriptedModel(readScript(readNamedFile(script, io), script))
  return chooseModel({ ...(model === undefined ? {} : { model }), env: io.env })
}

/** Reads a file named on the command line. */
export function readNamedFile(path: string, { cwd }: Pick<Io, 'cwd'>): string {
  const real = resolve(cwd, path)
  try {
    if (statSync(real).size > MOST_BYTES)
      throw new CountersignError('CS_USAGE', `\`${safeText(path)}\` is over 1 MiB; use a smaller file`)
    return readFileSync(real, 'utf8')
  } catch (error) {
    if (error instanceof CountersignError) throw error
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    throw new CountersignError('CS_USAGE', `can’t read \`${safeText(path)}\` (${code}); check the path`, {
      cause: error,
    })
  }
}
