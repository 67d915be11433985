import { createHash } from 'node:crypto'
import { canonicalJson, type Json } from '@countersign/core'

/**
 * What a decision is bound to: the tool as accepted, and the arguments as judged, with the task among them. Nothing else
 * of a call reaches a server unshown but `_meta`.
 */
export function callKey(
  tool: { readonly name: string; readonly definition: Json },
  args: Json | undefined,
  state?: string,
): string {
  const bound = canonicalJson([tool.name, tool.definition, args ?? null, state ?? null])
  return createHash('sha256').update(bound).digest('hex')
}
