import { CountersignError } from '@countersign/core'

/** The error of a tool: the model reads why and what to do. */
export function toolFailure(message: string, cause?: unknown): CountersignError {
  return new CountersignError('CS_TOOL_FAILED', message, cause === undefined ? {} : { cause })
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'can’t be accessed by this account',
  EPERM: 'can’t be accessed by this account',
  EISDIR: 'is a folder',
  ENOTDIR: 'is not a folder, or has a file in place of a parent folder',
  EEXIST: 'exists already',
  ENOTEMPTY: 'is a folder that is not empty',
  ELOOP: 'is now a link',
  ENOSPC: 'can’t be written: the disk is full',
  EROFS: 'is on a read-only file system',
}

/** Runs a file operation, and turns system error codes into words. */
export async function onFile<Value>(shown: string, step: () => Promise<Value>): Promise<Value> {
  try {
    return await step()
  } catch (error) {
    const code = (error as NodeJS.ErrnoException)?.code
    if (error instanceof CountersignError || typeof code !== 'string') throw error
    throw toolFailure(`\`${shown}\` ${WORDS[code] ?? `cannot be used (${code})`}`, error)
  }
}
