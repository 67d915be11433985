import { canonicalJson } from '../../call/json/canonical.ts'
import { isJsonObject, type Json } from '../../call/json/json.ts'
import { CountersignError } from '../../errors.ts'
import type { Approver, Approvers } from '../../ports/approvers.ts'
import type { Crypto } from '../../ports/crypto.ts'
import { manualCode } from '../request/request.ts'

/** The ways in which people change the desk's rules. */
export const RULES_ACTS = ['set', 'add', 'undo', 'sign', 'pause', 'resume'] as const

/** A change of the desk's rules, as it is shown: which version it makes of which, and why. */
export interface RulesChange {
  readonly act: (typeof RULES_ACTS)[number]
  /** The number of the version: 1, 2, … */
  readonly seq: number
  /** SHA-256 of the whole file it replaces; null if there is none. */
  readonly previous: string | null
  /** SHA-256 of the rules' text. */
  readonly content: string
  /** One line in words. */
  readonly what: string
  /** The call whose card proposed it; null for none. */
  readonly call: string | null
  /** An undo: the change it takes back. Null for every other change. */
  readonly undoes: number | null
  readonly nonce: string
}

/** What an approver signs to change the desk's rules. */
export interface RulesClaim extends RulesChange {
  /** The short code that was shown, and a reason: where the change takes the act of a manual call. */
  readonly code: string | null
  readonly reason: string | null
  readonly approver: string
  readonly surface: string
  readonly at: number
}

/** A signed version of the desk's rules. */
export interface SignedRules extends RulesClaim {
  /** Over `rulesMessage`: base64 Ed25519, or the JSON of a passkey's assertion. */
  readonly signature: string
}

/**
 * The bytes an approver signs to change the desk's rules, on any surface.
 *
 * @example
 * signer.sign(rulesMessage(claim))
 */
export function rulesMessage({ signature: _, ...claim }: RulesClaim & { readonly signature?: string }): string {
  return `countersign/rules/v1\n${canonicalJson(claim as unknown as Json)}`
}

/** The code of a change, typed where it takes the act of a manual call. */
export function rulesCode(change: RulesChange, crypto: Pick<Crypto, 'sha256'>): string {
  const { act, seq, previous, content, what, call, undoes, nonce } = change
  return manualCode(crypto.sha256(canonicalJson({ act, call, content, nonce, previous, seq, undoes, what })))
}

const MARK = '# countersign-signed '

/** The file of a version: one line with the signature, then the rules. */
export function rulesFile(signed: SignedRules, rules: string): string {
  // Only printable ASCII: YAML has its own idea of other characters in comments.
  const line = canonicalJson(signed as unknown as Json).replace(
    /[^\x20-\x7e]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `${MARK}${line}\n${rules}`
}

/** A version and its rules; null if the text is not one. Nothing is verified yet. */
export function readRulesFile(text: string): { readonly signed: SignedRules; readonly rules: string } | null {
  const end = text.indexOf('\n')
  if (!text.startsWith(MARK) || end === -1) return null
  try {
    const signed = readSignedRules(JSON.parse(text.slice(MARK.length, end)))
    return signed === null ? null : { signed, rules: text.slice(end + 1) }
  } catch {
    return null
  }
}

const MAX_TEXT = 4_000
const MAX_SIGNATURE = 8_192
const HASH = /^[0-9a-f]{64}$/
const FIELDS = 14

/** The one copy of a signed change that is verified and stored; null when `value` is malformed. */
export function readSignedRules(value: unknown): SignedRules | null {
  if (!isJsonObject(value) || Object.keys(value).length !== FIELDS) return null
  const { act, seq, previous, content, what, call, undoes, nonce, code, reason, approver, surface, at, signature } =
    value
  const isNamed =
    [what, nonce, approver, surface].every((one) => isText(one, MAX_TEXT)) && isText(signature, MAX_SIGNATURE)
  const isOptional = [call, code, reason].every((one) => one === null || isText(one, MAX_TEXT))
  const isCounted = isCount(seq, 1) && (undoes === null || isCount(undoes, 1)) && isCount(at, 0)
  const isHashed = isHash(content) && (previous === null || isHash(previous))
  const isKnown = (RULES_ACTS as readonly unknown[]).includes(act)
  if (!isKnown || !isNamed || !isOptional || !isCounted || !isHashed) return null
  const copy = {
    act,
    seq,
    previous,
    content,
    what,
    call,
    undoes,
    nonce,
    code,
    reason,
    approver,
    surface,
    at,
    signature,
  }
  return Object.freeze(copy) as unknown as SignedRules
}

/**
 * The approver who signed exactly these rules. Throws CS_DECISION_FORGED for any other key or text. SECURITY: A2, by the
 * kind of the enrolled key, never by what the signature claims.
 */
export async function verifyRules(
  signed: SignedRules,
  rules: string,
  approvers: Approvers,
  crypto: Pick<Crypto, 'sha256' | 'verify'>,
): Promise<Approver> {
  if (crypto.sha256(rules) !== signed.content) throw forged('the rules are not the ones that were signed')
  const approver = await approvers.find(signed.approver)
  if (approver?.id !== signed.approver) throw forged('the key that signed them is not an enrolled approver')
  const message = rulesMessage(signed)
  const isSigned =
    approver.kind === 'passkey'
      ? (await approvers.verifyPasskey?.(approver, crypto.sha256(message), signed.signature)) === true
      : crypto.verify(approver.publicKey, message, signed.signature)
  if (!isSigned) throw forged('the signature does not match')
  return approver
}

function forged(message: string): CountersignError {
  return new CountersignError('CS_DECISION_FORGED', message)
}

function isText(value: unknown, most: number): boolean {
  return typeof value === 'string' && value.length <= most && value.isWellFormed()
}

function isCount(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least
}

function isHash(value: unknown): boolean {
  return typeof value === 'string' && HASH.test(value)
}
