import { NAME_IN_TEXT } from './key-names.ts'
import { secretValue } from './named-value.ts'
import { type SecretSpan, withoutOverlaps } from './span.ts'

/**
 * SECURITY: A25, A32. Every pattern here is linear: it either ends in its repetition (so a failing try reads a bounded
 * number of characters), or it can begin only where its repeated class cannot, so that no character is read more than a few times.
 */
const TOKENS: readonly (readonly [kind: string, pattern: string])[] = [
  ['aws-key', '(?<![A-Za-z0-9])A[KS]IA[0-9A-Z]{16}'],
  ['github-token', 'gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\\w{16,}'],
  ['slack-token', 'xox[a-z]-[\\w-]{10,}'],
  ['stripe-key', '[rs]k_(?:live|test)_[A-Za-z0-9]{10,}'],
  ['api-key', '(?<![A-Za-z0-9])sk-(?=[\\w-]{0,40}[0-9A-Z])[\\w-]{16,}'],
  ['google-key', 'AIza[\\w-]{30,}'],
  ['jwt', '(?<![\\w-])eyJ[\\w-]{5,}\\.[\\w-]{5,}\\.[\\w-]*'],
  ['npm-token', 'npm_[A-Za-z0-9]{30,}'],
  ['pypi-token', 'pypi-[\\w-]{32,}'],
  ['gitlab-token', 'glpat-[\\w-]{16,}'],
  ['digitalocean-token', 'do[opr]_v1_[a-f0-9]{32,}'],
  ['huggingface-token', 'hf_[A-Za-z0-9]{30,}'],
  ['vault-token', 'hv[sbr]\\.[\\w-]{20,}'],
  ['docker-token', 'dckr_[po]at_[\\w-]{20,}'],
  ['shopify-token', 'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{30,}'],
  ['sendgrid-key', 'SG\\.[\\w-]{16,}'],
  ['google-token', 'ya29\\.[\\w-]{20,}'],
  ['google-secret', 'GOCSPX-[\\w-]{20,}'],
  ['stripe-webhook-secret', 'whsec_[A-Za-z0-9+/]{24,}'],
  ['atlassian-token', 'ATATT3[\\w-]{40,}'],
  ['age-key', 'AGE-SECRET-KEY-1[0-9A-Z]{50,}'],
  ['tailscale-key', 'tskey-[\\w-]{20,}'],
]

const TOKEN = new RegExp(TOKENS.map(([, pattern]) => `(${pattern})`).join('|'), 'g')

const BEGIN_KEY = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/g

const AUTH = /(?<![a-z])(?:bearer|basic)\s{1,4}([\w+/=.~-]{8,})/gi

const URL_LOGIN = /:\/\/[^\s/?#"'@:]*:([^\s/?#"']+)@/g

const USER_FLAG = /(?:^|[\s"'])(?:-u|--user|--proxy-user)[\s=]{1,4}["']?([^\s:"']{1,128}):([^\s"']+)/g

const NAMED = new RegExp(NAME_IN_TEXT, 'gi')

/** Leads of everything above, on raw text and on its canonical JSON alike. Plain words first: they cost least. */
const TOKEN_LEAD =
  /-----BEGIN|A[KS]IA|gh[pousr]_|github_pat_|xox[a-z]-|[rs]k_(?:live|test)_|sk-|AIza|eyJ|npm_|pypi-|glpat-|do[opr]_v1_|hf_|hv[sbr]\.|dckr_|shp[acps]|SG\.|ya29|GOCSPX|whsec_|ATATT3|AGE-SEC|tskey-/
const WORD_LEAD = /pass|secret|token|key|credential|mysql_pwd|authorization|cookie|bearer|basic|-u/i
const WORD_FOUND = new RegExp(`${NAME_IN_TEXT}|(?:bearer|basic)\\s|-u(?:ser)?[\\s=]`, 'i')

/** Whether a text is worth searching. `false` is certain; `true` is only a suspicion. */
export function mayHoldSecret(text: string): boolean {
  if (text.length < 4) return false
  return (
    // Behind a backslash a separator may be spelled otherwise (`\\n` in JSON): then the search itself decides.
    (WORD_LEAD.test(text) && (text.includes('\\') || WORD_FOUND.test(text))) ||
    TOKEN_LEAD.test(text) ||
    (text.includes('@') && text.includes('://'))
  )
}

/** Every secret in a text, in order and without overlaps. */
export function findSecrets(text: string): readonly SecretSpan[] {
  const found: SecretSpan[] = []
  for (const match of text.matchAll(TOKEN)) {
    const group = match.findIndex((part, index) => index > 0 && part !== undefined)
    found.push({ start: match.index, end: match.index + match[0].length, kind: TOKENS[group - 1]?.[0] ?? 'token' })
  }
  findPrivateKeys(text, found)
  for (const match of text.matchAll(AUTH)) if (looksRandom(match[1] ?? '')) found.push(last(match, 1, 'credentials'))
  for (const match of text.matchAll(URL_LOGIN)) found.push(last(match, 1, 'password', 1))
  for (const match of text.matchAll(USER_FLAG)) if (!isNumbers(match)) found.push(last(match, 2, 'password'))
  findNamed(text, found)
  return withoutOverlaps(found)
}

function findPrivateKeys(text: string, found: SecretSpan[]): void {
  BEGIN_KEY.lastIndex = 0
  for (let match = BEGIN_KEY.exec(text); match !== null; match = BEGIN_KEY.exec(text)) {
    const footer = text.indexOf('-----END', match.index)
    const close = footer < 0 ? -1 : text.indexOf('-----', footer + 8)
    const end = close < 0 ? text.length : close + 5
    found.push({ start: match.index, end, kind: 'private-key' })
    BEGIN_KEY.lastIndex = end
  }
}

function findNamed(text: string, found: SecretSpan[]): void {
  NAMED.lastIndex = 0
  for (let match = NAMED.exec(text); match !== null; match = NAMED.exec(text)) {
    const value = secretValue(text, match.index, match[0])
    if (value === undefined) continue
    found.push({ start: value.start, end: value.end, kind: value.kind })
    NAMED.lastIndex = Math.max(value.end, NAMED.lastIndex)
  }
}

/** The span of a group that ends its match, but for `after` characters. */
function last(match: RegExpExecArray, group: number, kind: string, after = 0): SecretSpan {
  const end = match.index + match[0].length - after
  return { start: end - (match[group] ?? '').length, end, kind }
}

function looksRandom(value: string): boolean {
  return /[0-9=+/]|[a-z][A-Z]/.test(value)
}

function isNumbers(match: RegExpExecArray): boolean {
  return /^\d+$/.test(match[1] ?? '') && /^\d+$/.test(match[2] ?? '')
}
