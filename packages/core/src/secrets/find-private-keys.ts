import type { SecretSpan } from './span.ts'

const HEADER = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y

const END = '-----END'

/** Ends a key's body: five hyphens, or anything but base64, headers and the quotes around them. */
const NOT_BODY = /-----|[^A-Za-z0-9+/=\s\\:,."'-]/g

/** A shorter body is only text about keys. */
const MIN_BODY = 40

/** Every private key in PEM, OpenSSH, PGP or PuTTY form that has a body. */
export function findPrivateKeys(text: string, found: SecretSpan[]): void {
  let footer = -1
  for (let at = text.indexOf('-----BEGIN '); at >= 0; at = text.indexOf('-----BEGIN ', at + 11)) {
    HEADER.lastIndex = at
    if (!HEADER.test(text)) continue
    const from = HEADER.lastIndex
    // Searched once for all headers before it, so that many headers stay linear.
    if (footer < from) footer = text.indexOf(END, from)
    if (footer < 0) footer = text.length
    const bodyEnd = endOfBody(text, from)
    const whole = bodyEnd >= footer && footer < text.length
    const end = whole ? endOfLine(text, footer + END.length) : bodyEnd
    if (isKeyBody(text.slice(from, Math.min(bodyEnd, from + 4096)))) found.push({ start: at, end, kind: 'private-key' })
  }
  const putty = text.indexOf('PuTTY-User-Key-File-')
  const lines = putty < 0 ? -1 : text.indexOf('Private-Lines:', putty)
  if (lines >= 0) found.push({ start: lines, end: endOfBody(text, lines + 14), kind: 'private-key' })
}

function isKeyBody(body: string): boolean {
  const plain = body.replace(/\\[nrt]|[A-Za-z-]{3,20}: [^\n]{0,200}\n|[\s"'+,\\]/g, '')
  if (plain.includes('...') || plain.includes('…')) return false
  const base64 = /[A-Za-z0-9+/=]{20,}/.exec(plain)?.[0] ?? ''
  return base64.length >= MIN_BODY && new Set(base64).size > 8 && !/xxxx|example|your/i.test(base64)
}

function endOfLine(text: string, at: number): number {
  const close = text.indexOf('-----', at)
  return close < 0 ? text.length : close + 5
}

/** The end of a key's body: its footer, or, when it is cut off, the first character that cannot be part of a key. */
function endOfBody(text: string, from: number): number {
  NOT_BODY.lastIndex = from
  return NOT_BODY.exec(text)?.index ?? text.length
}
