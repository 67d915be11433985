/**
 * Every place where `wanted` occurs in `items`, from left to right, none overlapping. Linear whatever is searched
 * (Knuth, Morris, Pratt): the engine's own search needs minutes for texts made to slow it down. SECURITY: A31
 */
export function findSequence<T>(items: ArrayLike<T>, wanted: ArrayLike<T>, from = 0): readonly number[] {
  const found: number[] = []
  const length = wanted.length
  if (length === 0) return found
  const borders = borderTable(wanted)
  let matched = 0
  for (let at = from; at < items.length; at++) {
    while (matched > 0 && items[at] !== wanted[matched]) matched = borders[matched - 1] ?? 0
    if (items[at] === wanted[matched]) matched++
    if (matched === length) {
      found.push(at - length + 1)
      matched = 0
    }
  }
  return found
}

/** For each prefix, the length of its longest proper prefix that is also its end. */
function borderTable<T>(wanted: ArrayLike<T>): Int32Array {
  const borders = new Int32Array(wanted.length)
  let matched = 0
  for (let at = 1; at < wanted.length; at++) {
    while (matched > 0 && wanted[at] !== wanted[matched]) matched = borders[matched - 1] ?? 0
    if (wanted[at] === wanted[matched]) matched++
    borders[at] = matched
  }
  return borders
}
