import { rulesIn } from './command-line.ts'
import { coveredByPaths, coveredByWords, EVERYTHING, type OwnRule } from './might-match.ts'
import { recordOf } from './read-settings.ts'

/** Every text below a key such as `denied_urls`. */
export function deniedIn(value: unknown, key = ''): readonly OwnRule[] {
  if (typeof value === 'string') {
    if (!/den(?:y|ied)/i.test(key)) return []
    return rulesIn(value).flatMap((text) => (/url/i.test(key) ? [urlRule(text)] : copilotRule(text)))
  }
  if (Array.isArray(value)) return value.flatMap((one) => deniedIn(one, key))
  return Object.entries(recordOf(value)).flatMap(([name, one]) => deniedIn(one, `${key}.${name}`))
}

/** `shell(git push:*)`, `write(.env)`, `url(example.com)`; anything else is the tool of a server. */
export function copilotRule(text: string): readonly OwnRule[] {
  const [, kind, content = ''] = /^([\w-]+)(?:\((.*?)\)?)?$/s.exec(text) ?? []
  if (kind === undefined) return [{ text, covers: EVERYTHING }]
  if (kind === 'shell') return [{ text, covers: coveredByWords([content]) }]
  if (kind === 'write' || kind === 'read') return [{ text, covers: coveredByPaths([content]) }]
  return kind === 'url' ? [{ ...urlRule(content), text }] : []
}

/** A rule about a host, which a command would name. */
export function urlRule(text: string): OwnRule {
  return { text, covers: coveredByPaths([text.replace(/^\w+:\/\//, '')]) }
}
