/** The two names of a `diff --git` line, quotes kept. Names with blanks are told apart by their halves being equal. */
export function gitNames(both: string): readonly string[] {
  const quoted = /^("(?:[^"\\]|\\.)*") (.+)$/.exec(both) ?? /^(\S+) ("(?:[^"\\]|\\.)*")$/.exec(both)
  if (quoted !== null) return [quoted[1] ?? '', quoted[2] ?? '']
  const words = both.split(' ')
  if (words.length === 2) return words
  const middle = (both.length - 1) / 2
  return [both.slice(0, middle), both.slice(middle + 1)]
}

const LETTERS: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 }

/** A name as git quotes it: `"a/\303\251"` is `a/é`. What is not quoted, or not so, stays as written. */
export function unquoted(name: string): string {
  if (name.length < 2 || !name.startsWith('"') || !name.endsWith('"')) return name
  const inside = name.slice(1, -1)
  if (!inside.includes('\\')) return inside
  let encoded = ''
  for (const [piece, octal, letter] of inside.matchAll(/\\([0-3][0-7]{2})|\\([\s\S])|[^\\]+/g)) {
    if (octal !== undefined) encoded += percent(Number.parseInt(octal, 8))
    else if (letter !== undefined) encoded += percent(LETTERS[letter] ?? letter.charCodeAt(0))
    else encoded += encodeURIComponent(piece)
  }
  try {
    return decodeURIComponent(encoded)
  } catch {
    return inside
  }
}

function percent(byte: number): string {
  return byte > 0xff ? encodeURIComponent(String.fromCharCode(byte)) : `%${byte.toString(16).padStart(2, '0')}`
}
