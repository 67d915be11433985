import { decodeLabel } from './punycode.ts'

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
