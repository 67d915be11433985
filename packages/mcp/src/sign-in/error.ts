import { CountersignError } from '@countersign/core'

/**
 * Why a sign-in goes no further. SECURITY: A32 it has no cause: what libraries throw quotes the answer that they could not
 * read, tokens and all, and causes are printed where somebody looks for a fault.
 */
export function failed(message: string): CountersignError {
  return new CountersignError('CS_MCP_SIGN_IN', message)
}
