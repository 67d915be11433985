import { hash } from 'node:crypto'

/**
 * The tag of a notification about these calls: notifications about the same calls replace each other. Up to 32 characters of base64url,
 * as push services want their topics.
 */
export function tagOf(calls: readonly string[]): string {
  return hash('sha256', `countersign/notification/v1\n${calls.toSorted().join('\n')}`, 'base64url').slice(0, 24)
}
