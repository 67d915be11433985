/** A secret that is found by where it is, and not by a name beside it or its own form. */
export interface BareSecret {
  readonly text: string
  readonly kind: string
}

/** INVARIANT: L10, more of one text are not read. */
const MOST = 64
const MIN_LENGTH = 8

/** `host:5432:database:user:password`, as in `.pgpass`. */
const PGPASS = /^[\w.*/-]{1,255}:(?:\d{4,5}|\*):[^\s:]{1,63}:[^\s:]{1,63}:((?:[^\s:\\]|\\[:\\]){8,128})$/gm
/** A value in a list of encoded ones: `  password: c2VjcmV0`. */
const ENCODED = /^[ \t"]{1,12}([\w.-]{1,128})"?:[ \t]{0,4}["']?([A-Za-z0-9+/]{12,4096}={0,2})["']?,?[ \t\r]{0,4}$/gm
const DATA = /^[ \t"]{0,4}data"?:/m
const KUBERNETES_SECRET = /["']?kind["']?:\s{0,4}["']?Secret\b/
/** The name of a file, or a command, that has a secret and nothing else. */
const SECRET_PLACE =
  /(?:pass(?:word|wd|phrase)?|secrets?|tokens?|credentials?|api[_-]?keys?|private[_-]?key|access[_-]?key)s?(?![a-z])/i
const ONE_WORD = /^\s{0,8}([^\s"'`<>(){}]{8,512})\s{0,8}$/

/** Credentials in what was read from a place: password files, files with one secret, and encoded values of Kubernetes secrets. */
export function bareSecrets(whole: string, place: string): readonly BareSecret[] {
  // A value of a result comes with its name.
  const text = whole.replace(/^[A-Za-z]\w{0,31}=/, '')
  const found: BareSecret[] = []
  const add = (secret: string | undefined, kind: string): void => {
    if (secret !== undefined && found.length < MOST && isLikely(secret)) found.push({ text: secret, kind })
  }
  for (const [, password] of text.matchAll(PGPASS)) add(password?.replace(/\\([:\\])/g, '$1'), 'password')
  const isSecret = KUBERNETES_SECRET.test(text)
  if (isSecret || DATA.test(text))
    for (const [, name = '', value = ''] of text.matchAll(ENCODED))
      if (isSecret || SECRET_PLACE.test(name)) add(decoded(value), 'secret')
  const alone = text.length <= 600 && SECRET_PLACE.test(place) ? ONE_WORD.exec(text)?.[1] : undefined
  add(alone, 'secret')
  return found
}

/** The text that a base64 value stands for; undefined if it is none, or no text. */
export function decoded(value: string): string | undefined {
  if (value.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return undefined
  const text = bytesOf(value.replace(/=+$/, ''))
  return text.length >= MIN_LENGTH && /^[\x20-\x7e\r\n\t]+$/.test(text) ? text.trim() : undefined
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUES: ReadonlyMap<string, number> = new Map([
  ...[...LETTERS].map((letter, at) => [letter, at] as const),
  ['-', 62] as const,
  ['_', 63] as const,
])

/** The bytes of base64 in either alphabet, one character each. */
export function bytesOf(base64: string): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const letter of base64) {
    held = ((held << 6) | (VALUES.get(letter) ?? 0)) & 0xffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    text += String.fromCharCode((held >> bits) & 0xff)
  }
  return text
}

/** More than one kind of sign: a word, a number or a version alone is none. */
function isLikely(secret: string): boolean {
  if (secret.length < MIN_LENGTH || /^[\w./-]*\.(?:md|txt|json|ya?ml|js|ts|py|sh)$/.test(secret)) return false
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(secret))
  return kinds.length >= 2
}
