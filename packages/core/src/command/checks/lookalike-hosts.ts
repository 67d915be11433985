interface Range {
  readonly start: number
  readonly end: number
}

const LATIN = /\p{Script=Latin}/u
/** Alphabets whose letters pass for Latin ones. */
const CONFUSABLE = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}]/u
/** A host behind a scheme, or behind `user@`. */
const HOST = /(?:[a-z][a-z0-9+.-]{1,20}:\/\/(?:[^\s/@"'<>]{0,128}@)?|[\w.-]{1,64}@)([^\s/:"'`$?#<>()|;&,]{1,253})/giu
const ASCII = /^[\x21-\x7e]*$/

/** Whether a word has Latin letters together with ones that pass for them: `сurl` with a Cyrillic first letter. */
export function mixesAlphabets(word: string): boolean {
  return LATIN.test(word) && CONFUSABLE.test(word)
}

/** Hosts that look like another: with letters of two alphabets, in letters that pass for Latin, or in Punycode. */
export function oddHosts(source: string): readonly Range[] {
  const found: Range[] = []
  for (const match of source.matchAll(HOST)) {
    const host = match[1] ?? ''
    if (!isOddHost(host)) continue
    const start = match.index + match[0].length - host.length
    found.push({ start, end: start + host.length })
    if (found.length === 8) break
  }
  return found
}

function isOddHost(host: string): boolean {
  if (ASCII.test(host)) return /(?:^|\.)xn--/i.test(host)
  const labels = host.split('.')
  const last = labels.at(-1) ?? ''
  return labels.some((label) => mixesAlphabets(label)) || (CONFUSABLE.test(host) && !CONFUSABLE.test(last))
}
