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
