/** Sites that others pose as. */
const KNOWN = (
  'github.com gitlab.com bitbucket.org google.com googleapis.com microsoft.com live.com office.com apple.com icloud.com ' +
  'amazon.com amazonaws.com npmjs.com npmjs.org pypi.org pythonhosted.org crates.io docker.com docker.io openai.com ' +
  'anthropic.com claude.ai huggingface.co paypal.com stripe.com slack.com dropbox.com facebook.com instagram.com ' +
  'linkedin.com twitter.com netflix.com cloudflare.com githubusercontent.com stackoverflow.com debian.org ubuntu.com ' +
  'nodejs.org python.org vercel.com netlify.com heroku.com digitalocean.com atlassian.com telegram.org whatsapp.com'
).split(' ')

/** What a host only looks like; null when it looks like nothing else. */
export interface Lookalike {
  /** `poses`: as a known site or in mixed letters; `foreign`: letters of another script, read as they are. */
  readonly kind: 'poses' | 'foreign'
  /** As people read it. */
  readonly shown: string
  readonly of: string | null
}

const MARKS = /\p{M}/gu
const LATIN = /\p{Script=Latin}/u
const OTHERS = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u
const ASCII = /^[\x20-\x7e]*$/

/** Letters that read as a Latin one, and the one they read as. */
const READS_AS: ReadonlyMap<string, string> = new Map(
  (
    'аa ӓa αa еe ёe эe оo ӧo οo σo рp ρp сc ϲc уy γy хx χx іi ɩi ιi ıi јj ϳj ѕs һh ԁd ɡg ԛq ԝw ωw ѵv νv υu ӏl ⅼl ǀl ɑa кk κk мm тt τt вb βb нh ' +
    'пn ηn øo đd łl ħh ŧt'
  )
    .split(' ')
    .map((pair): [string, string] => [[...pair][0] ?? '', [...pair][1] ?? '']),
)

/** Looks at a host as `URL` spells it: lower case, in Punycode where it is not ASCII. */
export function lookalikeOf(host: string): Lookalike | null {
  const labels = host.replace(/\.$/, '').split('.')
  const decoded = labels.map((label) => decodeLabel(label) ?? label)
  const shown = decoded.join('.')
  const known = poses(decoded)
  if (known !== null) return { kind: 'poses', shown, of: known }
  if (decoded.some((label) => LATIN.test(label) && OTHERS.test(label) && isMixedBadly(label)))
    return { kind: 'poses', shown, of: null }
  return ASCII.test(shown) && !labels.some((label) => label.startsWith('xn--'))
    ? null
    : { kind: 'foreign', shown, of: null }
}

/** Latin beside Chinese, Japanese or Korean is everyday; beside Cyrillic or Greek it is a trick. */
function isMixedBadly(label: string): boolean {
  return /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(label)
}

function poses(labels: readonly string[]): string | null {
  const host = labels.join('.')
  for (const known of KNOWN) {
    if (host === known || host.endsWith(`.${known}`)) return null
    // `github.com.example.io`, `github-com.example.io`: the known name stands where it means nothing.
    const dashed = known.replaceAll('.', '-')
    if (`.${host}.`.includes(`.${known}.`) || labels.slice(0, -1).some((label) => label === dashed)) return known
  }
  const site = skeleton(labels.slice(-2).join('.'))
  return KNOWN.find((known) => skeleton(known) === site && labels.slice(-2).join('.') !== known) ?? null
}

/** What a name reads as at a glance: look-alike letters and digits are one. */
function skeleton(text: string): string {
  const plain = [...text.normalize('NFKD').replace(MARKS, '')].map((letter) => READS_AS.get(letter) ?? letter).join('')
  return plain
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('cl', 'd')
    .replace(/[1i|]/g, 'l')
    .replaceAll('0', 'o')
}

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
