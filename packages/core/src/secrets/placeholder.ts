import { decodeBase64 } from '../call/base64.ts'
import { secretKnowledge } from '../knowledge/secrets.ts'

/** Words that people write where a secret will go. */
const STAND_IN =
  /example|change[-_ ]?(?:me|it|this)|replace|placeholder|dummy|sample|redact|insert|lorem|foobar|masked|xxxx|\.{3}|…|\*{3}|•{2}|deadbeef|cafebabe|undefined|super[-_ ]?secret|not[-_ ](?:a[-_ ])?(?:real|secret|set|used)|notreal|to[-_]be[-_]|(?:here|goes)$|(?:^|[-_ .])(?:todo|tbd|fixme|fake|mock|your?|my|some|enter|put|paste|add|test|demo|x{2,})(?:[-_ ]|$)|secret[-_](?:here|value|key|token|string|password)|key[-_]?here|token[-_](?:here|value)/i

const OWNED = /^(?:your|my|some|the)[A-Z][a-z]/

/** Filled in later: a variable, a template, a format. */
const TEMPLATE =
  /\$\{|\$\(|\{\{|\}\}|<%|%>|#\{|%\(|%[sdv]\b|\{[A-Za-z_][\w.]*\}|^\$+[A-Za-z_]\w*$|^%[A-Za-z_]\w*%$|^__\w+__$|^@[\w.]+@$|^<.*>?$|^\[.*\]?$|^\{.*\}?$|^&[a-z]/

/** The location of a secret, or a hashed or encrypted one. */
const ELSEWHERE =
  /^(?:arn:|projects\/|op:\/\/|vault:|ref\+|sm:\/\/|ssm:|keyring:|keychain:|file:|env:|env\.|secret:|secrets\.|secretref|doppler:|bws:|awskms:|gcpkms:|kms:|ENC[[(]|\{cipher\}|\{noop\}|\{bcrypt\}|\{SSHA|\{SHA|sops|AgA|AgB|\$2[aby]\$|\$argon2|\$[156y]\$|\$pbkdf2|\$scrypt|pbkdf2[:_]|scrypt:|sha\d*[:-]|md5[:-]|bcrypt|AQICAH|!(?:ref|sub|getatt|secret|vault|env|importvalue|join|base64))/i

let demoPasswords: ReadonlySet<string> | undefined

/** Whether a value only stands for a secret: a stand-in, a template, a reference or a demo password. */
export function isPlaceholder(value: string): boolean {
  return isStandIn(value) || isDemoPassword(value)
}

/** The same without demo passwords: for tokens, whose issuer is known. */
export function isStandIn(value: string): boolean {
  const text = value.length > 2000 ? value.slice(0, 2000) : value
  return (
    new Set(text).size <= 2 ||
    TEMPLATE.test(text) ||
    ELSEWHERE.test(text) ||
    STAND_IN.test(text) ||
    OWNED.test(text) ||
    hasLongRun(text) ||
    secretKnowledge().placeholders.published.some((known) => text.includes(known))
  )
}

/** `P@ssw0rd1`, `admin123`, `test-1234`: a known word and trivial digits. */
function isDemoPassword(value: string): boolean {
  if (value.length > 64) return false
  const letters = value.toLowerCase().replace(/[^a-z]/g, '')
  const digits = value.replace(/\D/g, '')
  const { demo_passwords, leet } = secretKnowledge().placeholders
  demoPasswords ??= new Set(demo_passwords)
  if ((demoPasswords.has(letters) || letters === '') && isTrivial(digits)) return true
  if (value.length <= 24) {
    const plain = value.toLowerCase().replace(/[\d!-/:-@[-`]+$/, '')
    const spelled = [...plain]
      .map((letter) => leet[letter] ?? letter)
      .join('')
      .replace(/[^a-z]/g, '')
    if (demoPasswords.has(spelled) && isTrivial(value.slice(plain.length).replace(/\D/g, ''))) return true
  }
  const decoded = value.length >= 4 && value.length % 4 === 0 ? asciiOfBase64(value) : undefined
  return (
    decoded !== undefined &&
    decoded.length < value.length &&
    /^[\w@!.-]{3,}\n?$/.test(decoded) &&
    isDemoPassword(decoded.trim())
  )
}

function isTrivial(digits: string): boolean {
  return digits.length <= 1 || /^(.)\1*$/.test(digits) || '012345678901234567890 98765432109876543210'.includes(digits)
}

/** One character repeated, or characters that count up or down, for much of the value. */
function hasLongRun(text: string): boolean {
  let same = 1
  let steps = 1
  let longest = 1
  for (let i = 1; i < text.length; i++) {
    const step = text.charCodeAt(i) - text.charCodeAt(i - 1)
    same = step === 0 ? same + 1 : 1
    const before = i > 1 ? text.charCodeAt(i - 1) - text.charCodeAt(i - 2) : step
    const counts = (step === 1 || step === -1) && (step === before || steps === 1)
    steps = counts ? steps + 1 : 1
    if (same >= 6) return true
    if (steps > longest) longest = steps
  }
  return longest >= 9 || (longest >= 5 && longest >= text.length * 0.4)
}

/** The printable text in base64 of up to 512 characters; undefined for anything else. */
export function asciiOfBase64(text: string): string | undefined {
  const digits = text.replace(/=+$/, '')
  if (text.length > 512 || /[=\n ]/.test(digits)) return undefined
  const decoded = decodeBase64(digits)
  return decoded !== null && /^[\n\x20-\x7e]*$/.test(decoded) ? decoded : undefined
}
