const SQL_VERBS =
  /(?:select|insert|update|delete|drop|alter|create|truncate|with|merge|grant|revoke|replace|call|exec|execute|pragma|vacuum|attach|copy|explain|begin|do|set|lock|reindex|comment|rename)\b/iy

/** Whether a text begins as SQL does, behind any comments and brackets. Linear in the text. */
export function looksLikeSql(text: string): boolean {
  let at = 0
  for (;;) {
    if (text.startsWith('--', at)) at = after(text, '\n', at)
    else if (text.startsWith('/*', at)) at = after(text, '*/', at + 2)
    else if (/[\s(;]/.test(text.charAt(at))) at++
    else break
  }
  SQL_VERBS.lastIndex = at
  return SQL_VERBS.test(text)
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found === -1 ? text.length : found + mark.length
}
