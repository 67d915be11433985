import type { Json, JsonObject } from '@countersign/core'
import { parse } from 'smol-toml'
import { isObject } from '../../json/value.ts'
import type { ConfigText, Member, ServerEntry } from './text.ts'
import { scanToml, type TomlMember } from './toml-scanner.ts'

/** Reads TOML; a text says why it cannot be read. */
export function readTomlConfig(text: string, places: readonly (readonly string[])[]): ConfigText | string {
  let data: JsonObject
  try {
    data = parse(text.replace(/^\ufeff/, '')) as JsonObject
  } catch {
    return 'it is no valid TOML'
  }
  const scanned = scanToml(text)
  if (scanned === null) return 'it is spelled in a way that cannot be edited safely'
  const members = scanned.flatMap(flatten)
  return { format: 'toml', text, entries: places.flatMap((place) => find(data, members, place)), data }
}

/** A member, and those of the inline table that is its value. */
function flatten(member: TomlMember): readonly TomlMember[] {
  return [member, ...(member.value.members ?? []).flatMap(flatten)]
}

function find(data: JsonObject, members: readonly TomlMember[], place: readonly string[]): readonly ServerEntry[] {
  const servers = valueAt(data, place)
  if (!isObject(servers)) return []
  return Object.entries(servers).flatMap(([name, server]): readonly ServerEntry[] => {
    const path = [...place, name]
    const own = members.filter((member) => member.path.length === path.length + 1 && startsWith(member.path, path))
    if (!isObject(server)) return []
    const first = own[0]
    if (first === undefined) return []
    const start = Math.min(...own.map(({ keySpan }) => keySpan.start))
    const end = Math.max(...own.map(({ value }) => value.span.end))
    const style = first.inline ? 'toml-inline' : 'toml-line'
    // Dotted keys of several servers may stand in turn: then none of them has a text of its own.
    const isMixed = members.some(
      ({ path: other, keySpan }) => keySpan.start > start && keySpan.start < end && !startsWith(other, path),
    )
    const places = isMixed ? [] : own.map((one) => memberOf(one, server))
    return [{ name, path, data: server, style, span: { start, end }, members: places }]
  })
}

function memberOf({ path, keySpan, value }: TomlMember, server: JsonObject): Member {
  const key = path.at(-1) ?? ''
  return { key, keySpan, value: value.span, data: (server[key] ?? null) as Json, items: value.items }
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((step, at) => path[at] === step)
}

function valueAt(data: JsonObject, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, step) => (isObject(value) ? value[step] : undefined), data)
}
