import { bytesOf } from './bare-secrets.ts'

/** A form in which a credential may leave, and the length of its windows. */
export interface SecretForm {
  readonly form: string
  readonly length: number
}

/** The shortest fragment that is recognised; shorter credentials are recognised whole. */
const FRAGMENT = 12
const MIN_LENGTH = 8
/** Twelve characters as base64, without those that their neighbours change, and as hex. */
const BASE64_FRAGMENT = 14
const HEX_FRAGMENT = 24
/** Characters of a credential that are remembered. */
const MAX_LENGTH = 512

/**
 * The forms of a credential: as it is, without its signs, reversed, as base64 at each of the three offsets, and as hex. Windows that other
 * credentials share (a token's prefix, a key's header and public half) are left out.
 */
export function secretForms(secret: string, kind: string): readonly SecretForm[] {
  const core = ownPart(secret, kind).slice(0, MAX_LENGTH)
  if (core.length < MIN_LENGTH) return []
  const length = Math.min(FRAGMENT, core.length)
  const bytes = new TextEncoder().encode(core)
  const encoded = [0, 1, 2].map((offset) => base64At(bytes, offset))
  const bare = lettersOf(core)
  return [
    { form: fold(core), length },
    { form: bare, length: Math.min(length, bare.length) },
    { form: fold([...core].reverse().join('')), length },
    ...encoded.map((form) => ({ form: fold(form), length: Math.min(BASE64_FRAGMENT, form.length) })),
    { form: hex(bytes), length: Math.min(HEX_FRAGMENT, 2 * bytes.length) },
  ].filter((one) => one.length >= MIN_LENGTH)
}

/**
 * Spellings of a text that is checked: as it is, without blanks, quotes and joints (`"a" + "b"`), with its codes decoded
 * (`%41`, `\\x41`, `&#65;`), reversed, with base64 and hex decoded once, and the letters and digits of each without the names between them (`?a=…&b=…`, `a=…; b=…`).
 */
export function textForms(text: string): readonly string[] {
  const joined = text.replace(/["'`]\s{0,8}[+.,&]\s{0,8}["'`]/g, '').replace(/\\[nrt]|[\s"'`\\]+/g, '')
  const forms = new Set([fold(text), fold(joined), lettersOf(joined)])
  if (text.includes('=')) forms.add(lettersOf(text.replace(NAMES, '')))
  forms.add(fold(joined).split('').reverse().join(''))
  const inner = encodedParts(text)
  if (inner !== '') for (const form of [fold(inner), lettersOf(inner)]) forms.add(form)
  let decoded = text
  for (let round = 0; round < MAX_DECODED && CODE.test(decoded); round++) {
    decoded = decoded.replace(CODES, (whole, byte?: string, unit?: string, entity?: string, decimal?: string) => {
      const digits = byte ?? unit ?? entity
      const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16)
      return code < 0x1_0000 ? String.fromCharCode(code) : whole
    })
    forms.add(fold(decoded))
    forms.add(lettersOf(decoded))
  }
  return [...forms]
}

/** INVARIANT: L10, as much of one text is decoded. */
const MAX_ENCODED = 256 * 1024
const BASE64_RUN = /[A-Za-z0-9+/_-]{16,}/g
const HEX_RUN = /(?:[0-9a-f]{2}){16,}/gi
/** Signs that stand for three bytes: a run may begin at any of them. */
const ALIGNMENTS = [0, 1, 2, 3]

/** What base64 and hex in a text stand for. Reversed, too: the letters of a run say nothing about its direction. */
function encodedParts(text: string): string {
  const parts: string[] = []
  let left = MAX_ENCODED
  for (const [run] of text.matchAll(BASE64_RUN)) {
    left -= run.length
    if (left < 0) break
    for (const at of ALIGNMENTS) parts.push(bytesOf(run.slice(at)))
  }
  for (const [run] of text.matchAll(HEX_RUN)) {
    left -= run.length
    if (left < 0) break
    parts.push(run.replace(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16))))
  }
  return parts.join('\n')
}

const CODE = /%[0-9a-f]{2}|\\x[0-9a-f]{2}|\\u\{?[0-9a-f]{4}|&#/i
const CODES = /(?:%|\\x)([0-9a-f]{2})|\\u\{?([0-9a-f]{4})\}?|&#x([0-9a-f]{1,6});|&#(\d{1,7});/gi
const NAMES = /(?:[?&;,\s]|^)\s{0,4}[\w.-]{1,32}=/g

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '')
}

const MAX_DECODED = 3

/** One spelling for both alphabets of base64, and for upper and lower case. */
function fold(text: string): string {
  return text.toLowerCase().replaceAll('-', '+').replaceAll('_', '/')
}

const TOKEN_PREFIX = /^[a-z]{2,12}(?:[_-][a-z]{2,8}\d{0,2}){1,3}[_-](?:11)?/

/** The part of a credential that no other has. */
function ownPart(secret: string, kind: string): string {
  if (/^eyJ[\w-]+\.[\w-]+\./.test(secret)) return secret.slice(secret.lastIndexOf('.') + 1)
  if (secret.includes('PRIVATE KEY') || kind.includes('private-key')) return privatePart(secret)
  const prefix = TOKEN_PREFIX.exec(secret)?.[0].length ?? 0
  return secret.length - prefix >= 16 ? secret.slice(prefix) : secret
}

/** In the body of a key, the header and the public half come first. */
const PUBLIC_SHARE = 0.6
/** Where the seed is in the base64 of an unencrypted OpenSSH key of type Ed25519. */
const ED25519_SEED = [216, 256] as const
const MAX_ED25519 = 700

function privatePart(secret: string): string {
  const body = secret
    .split(/\r?\n|\\n/)
    .filter((line) => !/^\s*-----|:\s/.test(line))
    .join('')
    .replace(/\s/g, '')
  if (secret.includes('OPENSSH') && body.length < MAX_ED25519) return body.slice(...ED25519_SEED)
  return body.slice(Math.floor(body.length * PUBLIC_SHARE))
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The base64 of bytes after `offset` others, without the characters that depend on those around them. */
function base64At(bytes: Uint8Array, offset: number): string {
  let text = ''
  const bits = (offset + bytes.length) * 8
  for (let at = Math.ceil((offset * 8) / 6) * 6; at + 6 <= bits; at += 6) {
    const index = (at >> 3) - offset
    const pair = ((bytes[index] ?? 0) << 8) | (bytes[index + 1] ?? 0)
    text += LETTERS.charAt((pair >> (10 - (at & 7))) & 63)
  }
  return text
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
