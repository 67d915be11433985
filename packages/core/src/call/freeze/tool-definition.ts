import type { Crypto } from '../../ports/crypto.ts'
import { canonicalJson } from '../json/canonical.ts'
import { freezeJson } from '../json/freeze.ts'
import type { Json } from '../json/json.ts'

const MAX_DEFINITION_BYTES = 1024 * 1024

/** INVARIANT: A6, holds only definitions frozen here: any other could have changed since it was hashed. */
const hashes = new WeakMap<object, string | null>()

/**
 * Copies a tool's definition once for all its calls. The copy cannot change, so the gate hashes it only the first time it
 * is passed as `tool.definition`.
 *
 * @example
 * const definition = freezeDefinition({ name: 'search', inputSchema: { type: 'object' } })
 * await gate.ask({ tool: { name: 'search', definition }, args: { words: 'gate' } })
 */
export function freezeDefinition(definition: Json): Json {
  const copy = freezeJson(definition, { root: 'definition', maxBytes: MAX_DEFINITION_BYTES, onlyHashed: true })
  if (typeof copy === 'object' && copy !== null) hashes.set(copy, null)
  return copy
}

/** SHA-256 of the canonical definition, which calls are bound to. */
export function definitionHash(definition: Json, crypto: Pick<Crypto, 'sha256'>): string {
  const isFrozen = typeof definition === 'object' && definition !== null && hashes.has(definition)
  const known = isFrozen ? hashes.get(definition) : undefined
  if (typeof known === 'string') return known
  const hash = crypto.sha256(canonicalJson(isFrozen ? definition : freezeDefinition(definition)))
  if (isFrozen) hashes.set(definition, hash)
  return hash
}
