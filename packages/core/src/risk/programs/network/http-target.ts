import { givesCredentials } from '../../../call/address/classify.ts'
import type { CommandPart } from '../../../command/model/decomposition.ts'
import { hostOf, isLocalHost } from '../assessor/host-location.ts'

/** An address a command talks to. */
export interface WebTarget {
  /** Lower case; null when it is not known. */
  readonly host: string | null
  readonly port: string
  /** What follows the host, up to the first unknown part. */
  readonly path: string
  /** The words as written, unknown parts included. */
  readonly text: string
}

const UNQUOTED = /^["']|["']$/g

/** Reads an address; the literal start of a partly unknown one still tells the host. */
export function webTarget(part: CommandPart, at: number): WebTarget {
  const word = part.args[at]
  const text = (word?.value ?? word?.text ?? '').slice(0, 4096).replace(UNQUOTED, '')
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text.startsWith(':') ? 'localhost' : ''}${text}`
  const rest = full.slice(full.indexOf('://') + 3)
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? ''
  const host = hostOf(full)
  const unknown = host === null || host === '' || /[$`{}]/.test(host)
  return {
    host: unknown ? null : host.toLowerCase(),
    port: /:(\d{1,5})$/.exec(authority)?.[1] ?? '',
    path: rest.slice(authority.length).split(/[$`]/, 1)[0] ?? '',
    text,
  }
}

/** A file on this machine, in letters that no program replaces or cuts off: no wildcards, no escapes, no query. */
const LOCAL_FILE = /^file:\/\/\/[\w./-]+$/

export function isLocalFile({ text }: WebTarget): boolean {
  return LOCAL_FILE.test(text)
}

/** Whether an address is on this machine or in the project's own composition. */
export function isLocalTarget({ host }: WebTarget): boolean {
  return (
    host !== null &&
    (isLocalHost(host) || host.endsWith('.internal.test') || /^(?:web|api|app|backend|frontend|server)$/.test(host))
  )
}

/** Services that hand out a machine's credentials. */
export function isMetadata({ host }: WebTarget): boolean {
  return host !== null && givesCredentials(host)
}

const PEOPLE =
  /^(?:hooks\.slack\.com|.*\.webhook\.office\.com|outlook\.office\.com|chat\.googleapis\.com|api\.telegram\.org|api\.twilio\.com|api\.sendgrid\.com|api\.mailgun\.net|api\.eu\.mailgun\.net|api\.postmarkapp\.com|api\.resend\.com|api\.pushover\.net|api\.pushbullet\.com|ntfy\.sh|events\.pagerduty\.com|api\.pagerduty\.com|api\.opsgenie\.com|graph\.facebook\.com|api\.twitter\.com|api\.x\.com|api\.line\.me|maker\.ifttt\.com|api\.mailchimp\.com|api\.brevo\.com|smtp\..*)$/

/** Whether people receive what is sent there. */
export function reachesPeople({ host, path }: WebTarget): boolean {
  if (host === null) return false
  if (/^(?:.*\.)?discord(?:app)?\.com$/.test(host)) return /^\/api\/(?:v\d+\/)?(?:webhooks|channels)\//.test(path)
  if (host === 'slack.com') return /^\/api\/(?:chat|files|conversations\.invite)/.test(path)
  return PEOPLE.test(host)
}

/** Whether a GET there already sends: Telegram's bots take everything from the address. */
export function sendsByAddress({ host, text }: WebTarget): boolean {
  return host === 'api.telegram.org' && /\/send[A-Z]/.test(text)
}

/** Addresses of money. */
export function movesMoney({ host, path }: WebTarget): 'pays-out' | 'moves' | null {
  if (
    host === null ||
    !/^(?:api\.stripe\.com|api(?:-m)?\.paypal\.com|api\.wise\.com|api\.transferwise\.com|api\.coinbase\.com|api\.binance\.com|api\.kraken\.com|api\.adyen\.com)$/.test(
      host,
    )
  )
    return null
  return /payouts?|transfers?|withdraw/i.test(path) ? 'pays-out' : 'moves'
}

const COLLECTION = /^\/(?:[\w.-]+\/){0,4}[a-z][a-z_-]*s\/?$/i

/** Whether a DELETE there takes a whole store or collection: `_all`, a wildcard, `/users`. */
export function isWholeStore(target: WebTarget): boolean {
  const path = target.path.split(/[?#]/, 1)[0] ?? ''
  if (/(?:^|\/)_all(?:\/|$)|\*|%2a/i.test(path) || path === '' || path === '/') return true
  if (/_delete_by_query/.test(path)) return true
  return !isLocalTarget(target) && COLLECTION.test(path) && !/session|token|cache|alias/i.test(path)
}

/** Variables that hold a credential of one vendor, and the hosts it is for. */
const VENDORS: readonly (readonly [RegExp, RegExp])[] = [
  [/\$\{?(?:GITHUB_TOKEN|GH_TOKEN|GITHUB_PAT)\b/, /(?:^|\.)github(?:usercontent)?\.com$|(?:^|\.)ghcr\.io$/],
  [/\$\{?(?:AWS_SECRET_ACCESS_KEY|AWS_SESSION_TOKEN|AWS_ACCESS_KEY_ID)\b/, /\.amazonaws\.com$/],
  [/\$\{?(?:NPM_TOKEN|NODE_AUTH_TOKEN)\b/, /(?:^|\.)npmjs\.(?:org|com)$/],
  [/\$\{?OPENAI_API_KEY\b/, /(?:^|\.)openai\.com$/],
  [/\$\{?ANTHROPIC_API_KEY\b/, /(?:^|\.)anthropic\.com$/],
  [/\$\{?(?:GITLAB_TOKEN|CI_JOB_TOKEN)\b/, /gitlab/],
  [/\$\{?(?:DATABASE_URL|PGPASSWORD|MYSQL_PWD|\w*PRIVATE_KEY|SSH_\w*KEY|\w*_PASSWORD)\b/, /^$/],
]
const LITERAL_SECRET = /(?:ghp_|gho_|github_pat_|AKIA|ASIA|sk_live_|rk_live_|xox[bp]-|glpat-|npm_)[A-Za-z0-9_-]{16}/

/** Whether a text sent to a host carries a credential that is none of that host's business. */
export function leaksCredential(text: string, host: string | null): boolean {
  const bounded = text.slice(0, 16 * 1024)
  if (!bounded.includes('$')) return false
  return VENDORS.some(([variable, hosts]) => variable.test(bounded) && (host === null || !hosts.test(host)))
}

/** Whether an address itself carries a literal credential. */
export function hasLiteralSecret(address: string): boolean {
  return LITERAL_SECRET.test(address.slice(0, 4096))
}
