import type { IncomingMessage } from 'node:http'

/** Headers as Node reads and writes them: a name in lower case, its value, the next name. One that stands twice stays twice. */
export type HeaderList = readonly string[]

/** Those whose names pass, and `more` behind them. */
export function filterHeaders(headers: HeaderList, passes: (name: string) => boolean, more: HeaderList = []): string[] {
  const kept: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? ''
    if (passes(name)) kept.push(name, headers[at + 1] ?? '')
  }
  kept.push(...more)
  return kept
}

/** Whether one of them has a name like this. */
export function someHeader(headers: HeaderList, isMeant: (name: string) => boolean): boolean {
  for (let at = 0; at < headers.length; at += 2) if (isMeant(headers[at] ?? '')) return true
  return false
}

/** One header as it came; several of a name are one list. Node would first make an object of them all. */
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
