const BASE = 36
const T_MIN = 1
const T_MAX = 26
const SKEW = 38
const DAMP = 700
const LONGEST = 63

/** A label of a host as people read it: `xn--mnchen-3ya` is `münchen`. Undefined when it is not Punycode (RFC 3492). */
export function decodeLabel(label: string): string | undefined {
  if (!label.startsWith('xn--') || label.length > LONGEST) return undefined
  const text = label.slice(4)
  const dash = text.lastIndexOf('-')
  const points = [...text.slice(0, Math.max(0, dash))].map((character) => character.codePointAt(0) ?? 0)
  let point = 128
  let bias = 72
  let index = 0
  for (let at = dash + 1; at < text.length; ) {
    const before = index
    let weight = 1
    for (let k = BASE; ; k += BASE) {
      const digit = digitOf(text.charCodeAt(at))
      at += 1
      if (digit === undefined) return undefined
      index += digit * weight
      const threshold = k <= bias ? T_MIN : k >= bias + T_MAX ? T_MAX : k - bias
      if (digit < threshold) break
      weight *= BASE - threshold
    }
    const count = points.length + 1
    bias = adapt(index - before, count, before === 0)
    point += Math.floor(index / count)
    index %= count
    if (!(point <= 0x10ffff)) return undefined
    points.splice(index, 0, point)
    index += 1
  }
  return String.fromCodePoint(...points).toWellFormed()
}

function digitOf(code: number): number | undefined {
  if (code >= 97 && code <= 122) return code - 97
  if (code >= 65 && code <= 90) return code - 65
  return code >= 48 && code <= 57 ? code - 22 : undefined
}

function adapt(delta: number, count: number, first: boolean): number {
  let rest = first ? Math.floor(delta / DAMP) : Math.floor(delta / 2)
  rest += Math.floor(rest / count)
  let k = 0
  while (rest > ((BASE - T_MIN) * T_MAX) / 2) {
    rest = Math.floor(rest / (BASE - T_MIN))
    k += BASE
  }
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}
