import {
  type Annotations,
  type Crypto,
  canonicalJson,
  DEFINITION_MEMBERS,
  freezeDefinition,
  type Json,
  type JsonObject,
} from '@countersign/core'
import { disguisedAmong, knownNames } from '../json/member-scanner.ts'
import { isObject } from '../json/value.ts'
import type { AdvertisedTool } from './catalogue.ts'

/** A tool as listed, with the hash that is pinned. */
export interface DefinedTool {
  readonly tool: AdvertisedTool
  /** The same SHA-256 that the gate binds into the identity of a call. */
  readonly hash: string
  /** The hash without the name: equal for a tool that was only renamed. */
  readonly nameless: string
}

/** What is pinned; icons and `_meta` are not. */
const MEMBERS = knownNames(...DEFINITION_MEMBERS)

/** L10: past these a tool is not read at all. */
const MAX_NAME = 256
const MAX_DEFINITION = 262_144
const MAX_DEPTH = 60
const MAX_SHOWN = 64
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

/** Reads one entry of a `tools/list` result; a text says why it cannot be a tool. */
export function readTool(listed: Json | undefined, crypto: Pick<Crypto, 'sha256'>): DefinedTool | string {
  if (!isObject(listed)) return 'it is not an object'
  const { name, description } = listed
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) return 'it has no name of 1 to 256 characters'
  if (CONTROL.test(name) || !name.isWellFormed()) return 'its name holds control characters or broken text'
  // SECURITY: A20 `Description` is not pinned, and a reader that ignores case shows it in place of what is.
  const disguised = disguisedAmong(Object.keys(listed), MEMBERS)
  if (disguised !== null) return `its ${JSON.stringify(disguised.slice(0, MAX_SHOWN))} looks like another member`
  const definition: { [member: string]: Json } = {}
  for (const member of DEFINITION_MEMBERS) {
    const value = listed[member]
    if (value !== undefined) definition[member] = value
  }
  if (isDeeper(definition, MAX_DEPTH)) return `its definition is nested deeper than ${MAX_DEPTH} levels`
  const text = canonicalJson(definition)
  if (text.length > MAX_DEFINITION) return `its definition is larger than ${MAX_DEFINITION} characters`
  if (!text.isWellFormed() || /\\ud[89a-f]/.test(text)) return 'its definition holds broken text'
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

/** The members of a listed tool that are no part of its definition. */
export function besideDefinition(listed: Json | undefined): JsonObject {
  if (!isObject(listed)) return {}
  return Object.fromEntries(Object.entries(listed).filter(([member]) => !MEMBERS.exact.has(member)))
}

/** The hash of a definition without its name. */
export function namelessHash(definition: Json, crypto: Pick<Crypto, 'sha256'>): string {
  if (!isObject(definition)) return crypto.sha256(canonicalJson(definition))
  const { name: _, ...rest } = definition
  return crypto.sha256(canonicalJson(rest))
}

/** A hint that is no boolean is no hint. */
function hintsOf(value: Json | undefined): Annotations | null {
  if (!isObject(value)) return null
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
