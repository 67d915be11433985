import { CountersignError } from '@countersign/core'

/** An error for a client: ours with its message, any other without details. */
export function wordsOf(error: unknown): { readonly code: string; readonly message: string } {
  if (error instanceof CountersignError) return { code: error.code, message: error.message }
  return { code: 'CS_INTERNAL', message: 'internal error in the service; nothing was allowed' }
}
