import type { CommandPart, CommandWord } from '../../command/model/decomposition.ts'
import { finding, type RiskFinding } from '../report/finding.ts'

const NAME =
  /(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|APIKEY|API_KEY|ACCESS_KEY|PRIVATE_KEY|SECRET_KEY|CREDENTIALS?|PAT|PGPASSWORD|DATABASE_URL)(?:_|$|\d)|ACCESS_KEY$|_KEY$/
const USES = /\$\{?([A-Za-z_]\w{1,63})/g
const AUTH_HEADER =
  /^["']?(?:authorization|proxy-authorization|cookie|x-[\w-]{0,40}(?:key|token|auth)|api-?key|private-token|job-token|x-api-key)\s*:/i
const AUTH_OPTIONS: ReadonlySet<string> = new Set(
  '-u --user --oauth2-bearer --password --http-password -a --auth'.split(' '),
)
/** `key=` right before the variable: how some services take credentials. */
const AUTH_FIELD =
  /(?:api_?key|apikey|key|token|access_token|auth|password|passwd|pass|client_secret|client_id|secret|appid|sig|code|refresh_token)["']?\s*[:=]\s*["']?\$?\{?$/i
const HOST = /^["']?(?:https?|ftp|wss?):\/\/(?:[^/@\s"']{0,200}@)?([^/:?#\s"'$]{1,253})/i
const PRIVATE_HOST =
  /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[?::1|host\.docker\.internal)|\.(?:local|internal|test|localhost)$/i
/** Words that tell the kind of a secret, not its owner. */
const SORTS = new Set(
  'API AUTH ACCESS SECRET PRIVATE TOKEN KEY PASSWORD USER APP MY DB TEST CLIENT BEARER JWT THE SERVICE'.split(' '),
)
/** The host of a vendor whose name is not part of it. */
const OWNERS: Readonly<Record<string, string>> = {
  AWS: 'amazonaws',
  GH: 'github',
  HF: 'huggingface',
  GCP: 'googleapis',
  GOOGLE: 'googleapis',
  NPM: 'npmjs',
  DO: 'digitalocean',
  CR: 'ghcr',
  CF: 'cloudflare',
  TG: 'telegram',
}

/** Whether a text uses, or is, the name of a variable that holds a secret. */
export function namesSecret(text: string): boolean {
  if (!text.includes('$')) return NAME.test(text)
  for (const [, name] of text.matchAll(USES)) if (name !== undefined && NAME.test(name)) return true
  return false
}

/** Whether a word of a web client is only for authentication: a header or an option. */
export function isAuthentication(args: readonly CommandWord[], at: number): boolean {
  const before = args[at - 1]?.value ?? ''
  const { text } = args[at] ?? { text: '' }
  if (before === '-H' || before === '--header') return AUTH_HEADER.test(text)
  return (
    AUTH_OPTIONS.has(before) ||
    /^(?:--user=|--oauth2-bearer=|-H["']?authorization:|--header=["']?authorization:)/i.test(text) ||
    AUTH_HEADER.test(text)
  )
}

/** A secret variable in a URL or a body for a host it does not belong to. */
export function rateSecretVariables(part: CommandPart): RiskFinding | null {
  if (!part.args.some(({ value, text }) => value === null && text.includes('$'))) return null
  let host: string | null = null
  for (const { value, text } of part.args) host ??= HOST.exec(value ?? text)?.[1] ?? null
  let worst: RiskFinding | null = null
  part.args.forEach(({ value, text }, at) => {
    if (value !== null || worst?.level === 'critical' || !text.includes('$') || isAuthentication(part.args, at)) return
    for (const { 1: name, index } of text.matchAll(USES)) {
      if (name === undefined || !NAME.test(name)) continue
      worst = rateUse(name, host, AUTH_FIELD.test(text.slice(0, index)) || index === text.indexOf('://') + 3) ?? worst
    }
  })
  return worst
}

function rateUse(name: string, host: string | null, isField: boolean): RiskFinding | null {
  const [owner = ''] = name.split('_')
  const known = !SORTS.has(owner)
  if (host !== null && (PRIVATE_HOST.test(host) || isOwn(owner, host))) return null
  if (isField && (host === null || !known)) return null
  return finding(
    known && host !== null ? 'critical' : 'high',
    'flow.secret-variable',
    `sends the secret \`$${name}\` to a host that is not its own`,
    'no',
  )
}

function isOwn(owner: string, host: string): boolean {
  const folded = host.toLowerCase()
  return folded.includes((OWNERS[owner] ?? owner).toLowerCase()) && owner.length > 1
}
