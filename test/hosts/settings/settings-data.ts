import { parse as parseJson } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'

/** The data of a settings file, read without any code of ours. */
export function dataOf(path: string, text: string): unknown {
  const plain = text.replace(/^\ufeff/, '')
  if (path.endsWith('.toml')) return parseToml(plain)
  return plain.trim() === '' ? {} : (parseJson(plain) ?? {})
}

/** The data without hooks that name a token of ours, and without what only held them. */
export function withoutHooks(value: unknown): unknown {
  return JSON.parse(JSON.stringify(prune(value) ?? {}))
}

function prune(value: unknown): unknown {
  if (value instanceof Date) return value
  if (Array.isArray(value)) {
    const kept = value.map(prune).filter((item) => item !== undefined)
    return kept.length === 0 ? undefined : kept
  }
  if (typeof value !== 'object' || value === null) return value
  if (Object.values(value).some((inner) => typeof inner === 'string' && isHookLine(inner))) return undefined
  const members = Object.entries(value).flatMap(([key, inner]): readonly [string, unknown][] => {
    const kept = key.endsWith('/countersign-hooks.json') ? undefined : prune(inner)
    return kept === undefined ? [] : [[key, kept]]
  })
  return members.length === 0 ? undefined : Object.fromEntries(members)
}

/** Every hook line of ours in a text, by its event. */
export function eventsIn(text: string): readonly string[] {
  return [...text.matchAll(/ hook [a-z-]+ (\w+) --token [0-9a-f]{32}/g)].map(([, event = '']) => event)
}

function isHookLine(line: string): boolean {
  return / hook [a-z-]+ \w+ --token [0-9a-f]{32}/.test(line)
}

/** Whether every sign of a text is in another one, in the same order. Blanks and commas don't count. */
export function isKeptIn(before: string, after: string): boolean {
  let at = 0
  for (const sign of before.replaceAll(/[\s,]/g, '')) {
    at = after.indexOf(sign, at) + 1
    if (at === 0) return false
  }
  return true
}
