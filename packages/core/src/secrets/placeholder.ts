import { asciiOfBase64 } from './ascii-base64.ts'

/** Words people write where a secret will stand later. */
const STAND_IN =
  /example|change[-_ ]?(?:me|it|this)|replace|placeholder|dummy|sample|redact|insert|lorem|foobar|masked|xxxx|\.{3}|…|\*{3}|•{2}|deadbeef|cafebabe|undefined|super[-_ ]?secret|not[-_ ](?:a[-_ ])?(?:real|secret|set|used)|notreal|to[-_]be[-_]|(?:here|goes)$|(?:^|[-_ .])(?:todo|tbd|fixme|fake|mock|your?|my|some|enter|put|paste|add|test|demo|x{2,})(?:[-_ ]|$)|secret[-_](?:here|value|key|token|string|password)|key[-_]?here|token[-_](?:here|value)/i

const OWNED = /^(?:your|my|some|the)[A-Z][a-z]/

/** Something that is filled in later: a variable, a template, a format. */
const TEMPLATE =
  /\$\{|\$\(|\{\{|\}\}|<%|%>|#\{|%\(|%[sdv]\b|\{[A-Za-z_][\w.]*\}|^\$+[A-Za-z_]\w*$|^%[A-Za-z_]\w*%$|^__\w+__$|^@[\w.]+@$|^<.*>?$|^\[.*\]?$|^\{.*\}?$|^&[a-z]/

/** Where a secret is kept, or a secret that is sealed already: no secret itself. */
const ELSEWHERE =
  /^(?:arn:|projects\/|op:\/\/|vault:|ref\+|sm:\/\/|ssm:|keyring:|keychain:|file:|env:|env\.|secret:|secrets\.|secretref|doppler:|bws:|awskms:|gcpkms:|kms:|ENC[[(]|\{cipher\}|\{noop\}|\{bcrypt\}|\{SSHA|\{SHA|sops|AgA|AgB|\$2[aby]\$|\$argon2|\$[156y]\$|\$pbkdf2|\$scrypt|pbkdf2[:_]|scrypt:|sha\d*[:-]|md5[:-]|bcrypt|AQICAH|!(?:ref|sub|getatt|secret|vault|env|importvalue|join|base64))/i

/** What stays of a demonstration's password without its digits and signs. */
const SIMPLE = new Set(
  (
    'a b c p pw x y z aa bb ab abc abcd xyz foo bar baz qux foobar hello helloworld world hi ' +
    'pass password passwd passphrase passcode pwd secret secrets token key apikey auth credential credentials creds value string text ' +
    'admin administrator root user username guest test tester testing demo dev develop development local localhost prod staging qa ci ' +
    'default temp tmp none null nil empty blank unknown anonymous anon public private sandbox stage stub ' +
    'postgres postgresql mysql mariadb mongo mongodb redis rabbitmq rabbit elastic minio minioadmin neo sa oracle scott tiger db database app docker vagrant jenkins grafana keycloak airflow ' +
    'letmein qwerty asdf asdfgh iloveyou welcome monkey dragon correcthorsebatterystaple swordfish ' +
    'mypass mypassword yourpassword mysecret yoursecret testpass testpassword passtest secretpassword passwordsecret rootpassword rootpass adminpass adminpassword userpass userpassword dbpassword dbpass ' +
    'testuser testsecret testtoken testkey apitoken accesstoken authtoken secretkey mytoken yourtoken somepassword somesecret newpassword oldpassword invalid wrong wrongpassword badpassword incorrect ' +
    'strongpassword securepassword supersecret topsecret verysecret supersecretpassword mysupersecret mysecretpassword mysecretkey mysecrettoken jwtsecret sessionsecret keyboardcat keyboard unsafe insecure nosecret notsecret shhh shh'
  ).split(' '),
)

const LEET: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** Published by vendors as examples; everyone knows them. */
const PUBLISHED = [
  'wJalrXUtnFEMI/K7MDENG',
  'SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq',
]

/** Whether a value only stands for a secret: a stand-in, a template, a reference, or what every demonstration uses. */
export function isPlaceholder(value: string): boolean {
  return isStandIn(value) || isSimplePassword(value)
}

/** The same without the judgement on weak passwords: for tokens, whose issuer is known. */
export function isStandIn(value: string): boolean {
  const text = value.length > 2000 ? value.slice(0, 2000) : value
  return (
    new Set(text).size <= 2 ||
    TEMPLATE.test(text) ||
    ELSEWHERE.test(text) ||
    STAND_IN.test(text) ||
    OWNED.test(text) ||
    hasLongRun(text) ||
    PUBLISHED.some((known) => text.includes(known))
  )
}

/** `P@ssw0rd1`, `admin123`, `test-1234`: a known word, and digits nobody had to remember. */
function isSimplePassword(value: string): boolean {
  if (value.length > 64) return false
  const letters = value.toLowerCase().replace(/[^a-z]/g, '')
  const digits = value.replace(/\D/g, '')
  if ((SIMPLE.has(letters) || letters === '') && isTrivial(digits)) return true
  if (value.length <= 24) {
    const plain = value.toLowerCase().replace(/[\d!-/:-@[-`]+$/, '')
    const spelled = [...plain]
      .map((one) => LEET[one] ?? one)
      .join('')
      .replace(/[^a-z]/g, '')
    if (SIMPLE.has(spelled) && isTrivial(value.slice(plain.length).replace(/\D/g, ''))) return true
  }
  const decoded = value.length >= 4 && value.length % 4 === 0 ? asciiOfBase64(value) : undefined
  return (
    decoded !== undefined &&
    decoded.length < value.length &&
    /^[\w@!.-]{3,}\n?$/.test(decoded) &&
    isSimplePassword(decoded.trim())
  )
}

function isTrivial(digits: string): boolean {
  return digits.length <= 1 || /^(.)\1*$/.test(digits) || '012345678901234567890 98765432109876543210'.includes(digits)
}

/** One character over and over, or counting up or down: over much of the value, or for long. */
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
