import {
  type Annotations,
  type Crypto,
  canonicalJson,
  DEFINITION_MEMBERS,
  freezeDefinition,
  isJsonObject,
  type Json,
  type JsonObject,
} from '@countersign/core'
import { knownNames, lookalikeAmong } from '../json/member-scanner.ts'
import type { AdvertisedTool } from './catalogue.ts'

/** A listed tool with its hashes. */
export interface DefinedTool {
  readonly tool: AdvertisedTool
  /** The same SHA-256 that the gate binds into the identity of a call. */
  readonly hash: string
  /** The hash without the name, equal for a renamed tool. */
  readonly nameless: string
}

/** The pinned members; icons and `_meta` are not. */
const MEMBERS = knownNames(...DEFINITION_MEMBERS)

/** L10: a tool beyond these limits is refused. */
const MAX_NAME = 256
const MAX_DEFINITION = 262_144
const MAX_DEPTH = 60
const MAX_SHOWN = 64
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

/** Parses one entry of a `tools/list` result; returns a reason when it is not a tool. */
export function readTool(listed: Json | undefined, crypto: Pick<Crypto, 'sha256'>): DefinedTool | string {
  if (!isJsonObject(listed)) return 'it is not an object'
  const { name, description } = listed
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) return 'it has no name of 1 to 256 characters'
  if (CONTROL.test(name) || !name.isWellFormed()) return 'its name contains control characters or invalid Unicode'
  // SECURITY: A20 `Description` is not pinned, but a client that ignores case shows it instead.
  const disguised = lookalikeAmong(Object.keys(listed), MEMBERS)
  if (disguised !== null) return `its ${JSON.stringify(disguised.slice(0, MAX_SHOWN))} looks like another member`
  const definition: { [member: string]: Json } = {}
  for (const member of DEFINITION_MEMBERS) {
    const value = listed[member]
    if (value !== undefined) definition[member] = value
  }
  if (isDeeper(definition, MAX_DEPTH)) return `its definition is nested deeper than ${MAX_DEPTH} levels`
  const text = canonicalJson(definition)
  if (text.length > MAX_DEFINITION) return `its definition is larger than ${MAX_DEFINITION} characters`
  if (!text.isWellFormed() || /\\ud[89a-f]/.test(text)) return 'its definition contains invalid Unicode'
  return {
    tool: Object.freeze({
      name,
      definition: freezeDefinition(definition),
      description: typeof description === 'string' ? description : null,
      annotations: hintsOf(definition['annotations']),
    }),
    hash: crypto.sha256(text),
    nameless: namelessHash(definition, crypto),
  }
}

/** The members of a listed tool outside its definition. */
export function extraMembers(listed: Json | undefined): JsonObject {
  if (!isJsonObject(listed)) return {}
  return Object.fromEntries(Object.entries(listed).filter(([member]) => !MEMBERS.exact.has(member)))
}

/** The hash of a definition without its name. */
export function namelessHash(definition: Json, crypto: Pick<Crypto, 'sha256'>): string {
  if (!isJsonObject(definition)) return crypto.sha256(canonicalJson(definition))
  const { name: _, ...rest } = definition
  return crypto.sha256(canonicalJson(rest))
}

/** Only boolean hints count. */
function hintsOf(value: Json | undefined): Annotations | null {
  if (!isJsonObject(value)) return null
  const hints: { [hint: string]: boolean } = {}
  for (const name of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']) {
    const hint = value[name]
    if (typeof hint === 'boolean') hints[name] = hint
  }
  return Object.freeze(hints)
}

function isDeeper(value: Json, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return most === 0 || Object.values(value).some((item) => isDeeper(item as Json, most - 1))
}
