import { CountersignError } from '@countersign/core'

/** An error as it goes over a wire: our own in its words, any other without its insides. */
export function wordsOf(error: unknown): { readonly code: string; readonly message: string } {
  if (error instanceof CountersignError) return { code: error.code, message: error.message }
  return { code: 'CS_INTERNAL', message: 'something inside the service went wrong; nothing was allowed' }
}
