import type { IncomingMessage } from 'node:http'

/** Headers as Node’s flat list: lower-case name, value, name, … Duplicates are kept. */
export type HeaderList = readonly string[]

/** The headers that pass, followed by `more`. */
export function filterHeaders(headers: HeaderList, passes: (name: string) => boolean, more: HeaderList = []): string[] {
  const kept: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? ''
    if (passes(name)) kept.push(name, headers[at + 1] ?? '')
  }
  kept.push(...more)
  return kept
}

/** Whether a header has a matching name. */
export function someHeader(headers: HeaderList, isMeant: (name: string) => boolean): boolean {
  for (let at = 0; at < headers.length; at += 2) if (isMeant(headers[at] ?? '')) return true
  return false
}

/** One header as received; duplicates are joined. Faster than Node’s `headers` object. */
export function headerOf({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): string | undefined {
  let found: string | undefined
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const key = rawHeaders[at] ?? ''
    if (key.length !== name.length || key.toLowerCase() !== name) continue
    const value = rawHeaders[at + 1] ?? ''
    found = found === undefined ? value : `${found}, ${value}`
  }
  return found
}
