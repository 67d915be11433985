const LONGEST_WORD = 64

/** Edit distance with swaps of neighbors (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let twoBack: number[] = []
  let oneBack = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replace = (oneBack[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let least = Math.min(replace, (oneBack[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (twoBack[j - 2] ?? 0) + 1)
      row.push(least)
    }
    twoBack = oneBack
    oneBack = row
  }
  return oneBack[b.length] ?? 0
}

/** The probably intended candidate: at most a third of the word differs, or its end is missing. */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length === 0 || word.length > LONGEST_WORD) return undefined
  const plain = simplify(word)
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const whole = simplify(candidate)
    const distance = plain.length >= 3 && whole.startsWith(plain) ? 1 : editDistance(plain, whole)
    const allowed = Math.max(1, Math.floor(Math.max(plain.length, candidate.length) / 3))
    if (distance <= allowed && distance < least && distance < plain.length) {
      least = distance
      best = candidate
    }
  }
  return best
}

/** `atLeast`, `at-least` and `AT_LEAST` are all near `at_least`. */
function simplify(word: string): string {
  return word
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll('-', '_')
}
