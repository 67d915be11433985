/**
 * What a name promises of its value.
 * `password`: what people choose, so short and readable counts too · `secret`: either · `token`, `key`: drawn by a machine ·
 * `weak`: often something else, so only what is clearly random counts · `phrase`: words · `value`: the name stands before it.
 */
export type NameTrait = 'password' | 'secret' | 'token' | 'key' | 'weak' | 'phrase' | 'header' | 'value'

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** A `key` after one of these is a credential; vendors' names count alike. */
const KEYED = words(
  'api access secret private auth authentication encryption encrypt decryption signing sign master account shared app application service ' +
    'client storage subscription consumer hmac aes cipher crypto cryptographic session deploy webhook jwt rest admin write server integration license ' +
    'ssh rsa token functions ingestion ingest personal security rails django flask laravel ' +
    'stripe sendgrid twilio algolia datadog dd mailgun openai anthropic claude gemini cohere mistral google maps aws azure github gitlab cloudflare cf heroku ' +
    'newrelic relic sentry pagerduty opsgenie okta auth0 segment amplitude mixpanel postmark mailchimp mailjet sparkpost resend brevo square paypal braintree adyen ' +
    'supabase firebase pusher ably intercom zendesk hubspot airtable notion linear asana jira rapidapi weather openweather giphy tmdb spotify wandb huggingface replicate ' +
    'pinecone weaviate qdrant groq perplexity deepseek xai together elevenlabs deepgram assemblyai serpapi tavily exa langsmith langchain binance coinbase kraken alchemy infura etherscan ' +
    'vercel netlify fly railway render upstash redis kafka confluent snowflake databricks fastly bunny wasabi b2 s3 minio r2 do spaces linode hetzner ovh scaleway',
)

/** Before `key` or `token` these make it something harmless. */
const HARMLESS_BEFORE = words(
  'public publishable pub site primary foreign partition sort cache idempotency row object hash range map dict json index unique composite ' +
    'translation i18n locale next page continuation cursor pagination sync cancel cancellation resume start end last stop eos bos pad sep mask unk ' +
    'lookup group query react sorting shortcut hot arrow meta modifier feature config setting env var column table field design css style theme color syntax lexer parser ' +
    'keyboard enter escape tab license_plate anonymous tracking measurement',
)

/** After the secret’s own word these speak about it, and are not it. */
const ABOUT_AFTER = words(
  'id ids identifier name names type types path paths file files filename filepath dir directory folder url uri urls endpoint host port count counts counter length len limit limits ' +
    'max min ttl expires expire expiry expiration expired expiresin lifetime age field fields label labels placeholder hint hints title error errors err message msg text help description desc ' +
    'prefix suffix regex regexp pattern policy policies rule rules strength score validator validation valid validity validate reset forgot recovery confirm confirmation change changed link page pages route router routes input inputs form ' +
    'class classes classname header headers env var variable variables ref refs reference arn version algorithm alg algo hash hashes hashed hasher checksum digest fingerprint sha sha1 sha256 md5 kid ' +
    'budget usage used bucket index status state flag enabled disabled required optional manager management provider providers service store storage helper command cmd mode format size sizes rate cost price ' +
    'symbol contract address balance amount supply holder kind source lookup selector xpath testid element el node button btn icon box modal dialog toggle visible visibility show hidden at date time timestamp ' +
    'created updated rotated rotation interval minutes seconds hours days ms ring vault engine spec template schema model models dto request response params param args config configuration options settings encoder encoding decoder decode encode izer ization ' +
    'entry entries list map set array cache queue pool client handler callback fn func function listener event events hook interceptor middleware guard filter parser reader writer loader builder factory generator ' +
    'usages accessor view window context stream position pos offset start end begin close open separator delimiter char chars word words question answer last4 tail mask masked preview example sample test tests ' +
    'attempts retries retry tries failures history log logs audit scope scopes audience issuer subject claims claim info details metadata bytes bits pair pairs',
)

/** A name that begins so is a switch or a limit. */
const SWITCH = words(
  'is has had show hide use uses using enable enables enabled disable allow allows need needs needed min max num number no not without with should can total prompt ask forgot reset missing invalid count',
)

const PASSWORD = /(?:password|passwd|passcode|pwd|passwort|contrasena|motdepasse)$/
const PASS =
  /^(?:db|my|user|smtp|root|admin|mysql|pg|postgres|redis|require|store|key|ftp|mail|email|auth|sudo|ssh|ssl|bind|proxy|http|sql|mongo|rabbit|vnc|wifi|enc|gpg|key|cert|kdb|ldap|imap|sa)?(?:pass|pw)$/
const KEY =
  /(?:api|access|secret|private|account|auth|encryption|signing|master|shared|sharedaccess|app|service|license|consumer|subscription|storage|function)key$/
const TOKEN = /(?:token|tkn|pat)$/
const WEAK = words(
  'auth authorization sid session sessid sessionid jsessionid phpsessid cookie signature sig salt pepper dsn credential credentials creds bearer hmac webhook csrf xsrf',
)

const traits = new Map<string, NameTrait | null>()

/** What a name says of the value assigned to it; null when it says nothing. The same few names come again and again. */
export function nameTrait(name: string): NameTrait | null {
  const known = traits.get(name)
  if (known !== undefined) return known
  const trait = judge(name)
  if (traits.size >= 4000) traits.clear()
  traits.set(name, trait)
  return trait
}

function judge(name: string): NameTrait | null {
  const parts = partsOf(name)
  const last = parts.at(-1)
  if (last === undefined) return null
  if (last === 'value' || last === 'val' || last === 'default')
    return (parts.length === 1 ? null : judge(parts.slice(0, -1).join('_'))) ?? 'value'
  if (SWITCH.has(parts[0] ?? '') && parts.length > 1) return null
  if (parts.includes('public') || parts.includes('publishable')) return null
  for (let at = parts.length - 1; at >= 0; at--) {
    const trait = traitOf(parts, at)
    if (trait === null) {
      if (ABOUT_AFTER.has(parts[at] ?? '')) return null
      continue
    }
    return trait
  }
  return null
}

function traitOf(parts: readonly string[], at: number): NameTrait | null {
  const part = parts[at] ?? ''
  const before = parts[at - 1] ?? ''
  const isLast = at === parts.length - 1
  if (PASSWORD.test(part) || PASS.test(part)) return part === 'pass' && !isLast ? null : 'password'
  if (part.endsWith('secret') || (part === 'secrets' && isLast && at > 0)) return 'secret'
  if (TOKEN.test(part)) return HARMLESS_BEFORE.has(before) || (part === 'pat' && before === '') ? null : 'token'
  if (
    part === 'mnemonic' ||
    part.endsWith('passphrase') ||
    (part === 'phrase' && /seed|recovery|secret|backup|wallet/.test(before))
  )
    return 'phrase'
  if (part === 'seed' && /wallet|master|bip39/.test(before)) return 'phrase'
  if (KEY.test(part)) return 'key'
  if (part === 'key' || part === 'keys') return keyTrait(before, isLast)
  if (part === 'string' && /^conn(?:ection)?$/.test(before)) return 'weak'
  if (part === 'authorization') return isLast ? 'header' : null
  return isLast && WEAK.has(part) ? 'weak' : null
}

function keyTrait(before: string, isLast: boolean): NameTrait | null {
  if (HARMLESS_BEFORE.has(before)) return null
  if (KEYED.has(before)) return 'key'
  return isLast ? 'weak' : null
}

/** The words of a name in any casing, small, without their numbers: `DB_PASSWORD2`, `dbPassword`, `db-password`. */
function partsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .map((part) => part.replace(/\d+$/, ''))
    .filter((part) => part !== '')
}
