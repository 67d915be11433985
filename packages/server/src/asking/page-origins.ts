import { CountersignError, safeText } from '@countersign/core'

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Checks the origins whose pages may ask. SECURITY: L8 A17, each is named exactly, can't be changed on its way to the
 * browser, and is never one that decides.
 */
export function readPageOrigins(named: readonly string[], deciding: ReadonlySet<string>): ReadonlySet<string> {
  if (named.length === 0) throw new CountersignError('CS_USAGE', 'name the pages that may ask with `--page-origin`')
  for (const text of named) {
    const url = URL.parse(text)
    if (url === null || url.origin !== text || text === 'null' || text.includes('*'))
      throw new CountersignError('CS_USAGE', `\`${safeText(text)}\` is not an origin; use one like https://app.example`)
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOCAL.has(url.hostname)))
      throw new CountersignError('CS_USAGE', `\`${safeText(text)}\` must be https, or http on localhost`)
    if (deciding.has(text))
      throw new CountersignError('CS_USAGE', `\`${safeText(text)}\` is the inbox; pages that ask need another origin`)
  }
  return new Set(named)
}
