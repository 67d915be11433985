import type { Json, JsonObject } from '../../call/json/json.ts'
import { letterKey, nameWords } from '../../call/names/words.ts'
import { SECRETS } from '../../knowledge/compiled/tools.ts'
import { scanText } from '../../secrets/scan-text.ts'
import { hostOf, isLoopback } from '../query/http-request.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import type { RatedCall } from '../report/rating-input.ts'

const DECRYPTS =
  /^(?:with)?decrypt(?:ion|ed)?$|^reveal(?:ed)?$|^unmask(?:ed)?$|^(?:show|include|with)(?:secrets?|values?|passwords?|sensitive)$|^plaintext$/
const SECRET_NAME = /(?:^|[/_.-])(?:password|passwd|secret|secrets|api[_-]?key|private[_-]?key|credentials?|token)$/i

/** Rates a read that shows a secret: from a store of secrets, or because an argument asks for its value. */
export function rateShownSecret({ tool }: RatedCall, objects: readonly JsonObject[]): RiskFinding | null {
  const words = nameWords(tool.name)
  const shows = words.some((word) => SECRETS.revealers.has(word)) && !words.some((word) => SECRETS.namesOnly.has(word))
  const keeps = [...words, ...nameWords(tool.server ?? '')].some((word) => SECRETS.secretStores.has(word))
  if (shows && keeps) return SHOWS_SECRET
  for (const object of objects.slice(0, 64)) {
    for (const [key, value] of Object.entries(object)) {
      const name = letterKey(key)
      if (value === true && DECRYPTS.test(name)) return SHOWS_SECRET
      if (
        shows &&
        SECRETS.nameArguments.has(name) &&
        isParameter(words) &&
        typeof value === 'string' &&
        SECRET_NAME.test(value.slice(0, 256))
      )
        return SHOWS_SECRET
    }
  }
  return null
}

function isParameter(words: readonly string[]): boolean {
  return words.some((word) => /^(?:parameters?|variables?|env|config|setting|settings|value|kv|key)$/.test(word))
}

const SHOWS_SECRET = finding('high', 'tool.reveals', 'shows a secret', 'no')

const MAX_TEXT = 64 * 1024
const MAX_VALUES = 2000

/** URLs where a password in the body is how people sign in. */
const SIGN_IN =
  /(?:^|[/_-])(?:login|signin|sign-in|token|oauth2?|auth|session|sessions|authenticate|register|signup|users?)(?:$|[/?_-])/i
/** Hosts of issuers whose name is not part of the host. */
const OWN_HOSTS: Readonly<Record<string, RegExp>> = {
  aws: /(?:^|\.)amazonaws\.com$|(?:^|\.)aws\.amazon\.com$/,
  google: /(?:^|\.)(?:googleapis|google)\.com$/,
  azure: /(?:^|\.)(?:azure|windows|microsoftonline|microsoft)\.(?:com|net)$/,
  telegram: /(?:^|\.)telegram\.org$/,
}

/** Rates a secret that a call sends away. The reason never contains the secret. */
export function rateSentSecret({ tool, args, descriptor }: RatedCall): RiskFinding | null {
  const host = descriptor.url === undefined ? null : hostOf(descriptor.url)
  if (host !== null && isLoopback(host)) return null
  const words = [...nameWords(tool.name), ...nameWords(tool.server ?? '')]
  if (words.some((word) => SECRETS.localStores.has(word))) return null
  const signsIn = host !== null && SIGN_IN.test(descriptor.url ?? '')
  let own: RiskFinding | null = null
  for (const { text, proof, body } of textsOf(args)) {
    for (const issuer of issuersIn(text)) {
      const isKnown = !SECRETS.genericKinds.has(issuer)
      if (signsIn && !isKnown) continue
      if (host !== null && isKnown && isOwnHost(issuer, host)) {
        own = finding('low', 'secret.own-host', `sends a credential to \`${host}\`, where it belongs`)
        continue
      }
      // The service knows its own tokens, but an issue or a message is read by others.
      if (words.includes(issuer) && !body) continue
      // The owner of a password for signing in is unknown.
      if (proof && (!isKnown || host === null)) continue
      return finding(
        'critical',
        'tool.sends-secret',
        'sends a secret to someone else',
        'no',
        host === null ? {} : { target: host },
      )
    }
  }
  return own
}

/** The issuer of each secret in a text, or the kind of one that no single service issues. */
export function issuersIn(text: string): readonly string[] {
  return scanText(text).map(({ start, end, kind }) => {
    if (!SECRETS.genericKinds.has(issuerOf(kind))) return issuerOf(kind)
    // The name tells less than the value: `token=ghp_…`.
    const inner = scanText(text.slice(start, end)).map((one) => issuerOf(one.kind))
    return inner.find((issuer) => !SECRETS.genericKinds.has(issuer)) ?? issuerOf(kind)
  })
}

function issuerOf(kind: string): string {
  return kind.split('-')[0] ?? ''
}

/** Whether a host belongs to the issuer of a token. */
export function isOwnHost(issuer: string, host: string): boolean {
  return OWN_HOSTS[issuer]?.test(host) ?? host.split('.').includes(issuer)
}

interface SentText {
  readonly text: string
  /** It authenticates the caller. */
  readonly proof: boolean
  /** It is what others get to read. */
  readonly body: boolean
}

function textsOf(args: JsonObject): readonly SentText[] {
  const found: SentText[] = []
  const rest: { readonly key: string; readonly value: Json; readonly proof: boolean; readonly body: boolean }[] = []
  const put = (object: JsonObject, proof: boolean, body: boolean): void => {
    for (const [key, value] of Object.entries(object)) {
      const inBody = body || SECRETS.bodyArguments.has(key.toLowerCase())
      rest.push({ key, value, proof: !inBody && (proof || isProof(key)), body: inBody })
    }
  }
  put(args, false, false)
  let left = MAX_TEXT
  for (let seen = 0; seen < MAX_VALUES && left > 0; seen++) {
    const next = rest.pop()
    if (next === undefined) break
    const { key, value, proof, body } = next
    if (typeof value === 'string') {
      if (value.length >= 8) found.push({ text: `${key}: ${value.slice(0, left)}`, proof, body })
      left -= value.length
    } else if (Array.isArray(value))
      for (const item of value as readonly Json[]) rest.push({ key, value: item, proof, body })
    else if (value !== null && typeof value === 'object') put(value as JsonObject, proof, body)
  }
  return found
}

function isProof(key: string): boolean {
  return SECRETS.authenticationArguments.has(letterKey(key))
}
