/** Whether a whole text matches a shell pattern of `*`, `?` and `[…]`; a backslash makes the next character literal. */
export function matchesPattern(text: string, pattern: string): boolean {
  let at = 0
  let sign = 0
  let star = -1
  let mark = 0
  while (at < text.length) {
    const step = sign < pattern.length && pattern[sign] !== '*' ? stepOf(pattern, sign, text[at] ?? '') : 0
    if (step > 0) {
      at++
      sign += step
    } else if (pattern[sign] === '*') {
      star = sign++
      mark = at
    } else if (star !== -1) {
      sign = star + 1
      at = ++mark
    } else return false
  }
  while (pattern[sign] === '*') sign++
  return sign === pattern.length
}

/** Whether a shell matches one name of a path: a leading wildcard matches a leading dot only if `dots` is set. */
export function matchesName(name: string, pattern: string, dots: boolean): boolean {
  if (name === pattern) return true
  return !dots && name.startsWith('.') && /^[*?[]/.test(pattern) ? false : matchesPattern(name, pattern)
}

/** How many characters of the pattern match one character; 0 without a match. */
function stepOf(pattern: string, sign: number, char: string): number {
  const first = pattern[sign]
  if (first === '?') return 1
  if (first === '\\') return pattern[sign + 1] === char ? 2 : 0
  const close = first === '[' ? pattern.indexOf(']', sign + 2) : -1
  if (close === -1) return first === char ? 1 : 0
  const negated = pattern[sign + 1] === '!' || pattern[sign + 1] === '^'
  return isListed(pattern.slice(sign + (negated ? 2 : 1), close), char) !== negated ? close - sign + 1 : 0
}

function isListed(list: string, char: string): boolean {
  for (let at = 0; at < list.length; at++) {
    const last = list[at + 1] === '-' ? list[at + 2] : undefined
    if (last === undefined) {
      if (list[at] === char) return true
    } else {
      if (char >= (list[at] ?? '') && char <= last) return true
      at += 2
    }
  }
  return false
}
