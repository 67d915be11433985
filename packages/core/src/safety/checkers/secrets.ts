import type { Json, JsonObject } from '../../call/json/json.ts'
import type { MaybePromise } from '../../ports/maybe-promise.ts'
import type { SecretSpan } from '../../secrets/span.ts'
import type { CheckAnswer, Checker, CheckInput } from '../checker.ts'
import { countWords } from './backup.ts'

/** Finds the secrets in a text. */
export type SecretScan = (text: string) => MaybePromise<readonly SecretSpan[]>

/** A secret in an argument, as a person and the journal may see it: never the value. */
interface Shown {
  readonly [name: string]: Json
  readonly kind: string
  readonly at: string
  readonly tail: string
}

/** A finding lists so many secrets; it counts the rest. */
const MAX_SHOWN = 20

/**
 * Whether a call carries a secret. Where the secret would leave the machine, or be written into a file that is no place
 * for one, the call fails and a person may let it pass; elsewhere it is worth a notice.
 */
export function secretsChecker(scan: SecretScan): Checker {
  return {
    name: 'secrets',
    async check(input) {
      const shown: Shown[] = []
      for (const argument of argumentTexts(input.call.args)) shown.push(...(await secretsOf(argument, scan)))
      return answer(input, unique(shown))
    },
  }
}

async function secretsOf({ text, name, offset }: Argument, scan: SecretScan): Promise<readonly Shown[]> {
  const found = await scan(text)
  return found.map(({ kind, start, end }) => ({
    kind,
    at: `${name}${placeOf(text, start - offset)}`,
    tail: tailOf(text.slice(start, end)),
  }))
}

function answer(input: CheckInput, secrets: readonly Shown[]): CheckAnswer {
  const [first] = secrets
  if (first === undefined) return { status: 'pass', message: 'no secret found' }
  const what =
    secrets.length === 1 ? `a secret (${first.kind})` : `${countWords(secrets.length, 'secret')} (${first.kind}, …)`
  const details = { secrets: secrets.slice(0, MAX_SHOWN), count: secrets.length }
  const leaves = leavesMachine(input)
  const file =
    input.call.descriptor.kind === 'write'
      ? (input.call.descriptor.paths ?? []).find((path) => !secretFile(path))
      : undefined
  if (leaves) {
    const message = `it sends ${what} out, in ${first.at}`
    return {
      status: 'fail',
      message,
      details,
      overridable: true,
      suggestion: 'let the program read it from the environment or a file',
    }
  }
  if (file !== undefined) {
    const message = `it writes ${what} into \`${file}\`, in ${first.at}`
    return {
      status: 'fail',
      message,
      details,
      overridable: true,
      suggestion: 'keep it in `.env` or a secret store, and read it from there',
    }
  }
  return { status: 'warn', message: `it carries ${what}, in ${first.at}`, details }
}

/** `:line:column` within a text of several lines. */
function placeOf(text: string, at: number): string {
  if (at < 0 || !text.includes('\n')) return ''
  const before = text.slice(0, at)
  return `:${before.split('\n').length}:${at - before.lastIndexOf('\n')}`
}

/** The last characters of a long secret tell two apart and open nothing. */
function tailOf(secret: string): string {
  return secret.length < 16 || secret.includes('\n') ? '…' : `…${secret.slice(-4)}`
}

function unique(shown: readonly Shown[]): readonly Shown[] {
  const seen = new Set<string>()
  return shown.filter(({ kind, at, tail }) => {
    const key = `${kind} ${at} ${tail}`
    return seen.has(key) ? false : seen.add(key)
  })
}

/** A text among a call’s arguments that may hold a secret. */
interface Argument {
  /** Its place in the arguments: `env.TOKEN`, `argv`. */
  readonly name: string
  readonly text: string
  /** The length of `text` before the argument itself. */
  readonly offset: number
}

/** A short value is also scanned together with its name, as in a settings file. */
const MAX_NAMED = 1024

/**
 * Every text of the arguments, as a tool would read it: each string by itself, decoded where it is an address, short
 * ones with the name they stand under, and lists of words as one line.
 */
function* argumentTexts(args: JsonObject): Generator<Argument> {
  const ahead: (readonly [name: string, key: string, value: Json])[] = Object.entries(args).map(([key, value]) => [
    key,
    key,
    value as Json,
  ])
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const [name, key, value] = next
    if (typeof value === 'string') yield* textsOf(name, key, value)
    else if (Array.isArray(value)) {
      if (value.length > 1 && value.every((item) => typeof item === 'string' && item.length <= MAX_NAMED))
        yield { name, text: value.join(' '), offset: 0 }
      for (const [index, item] of value.entries()) ahead.push([`${name}[${index}]`, key, item as Json])
    } else if (value !== null && typeof value === 'object') {
      for (const [inner, item] of Object.entries(value)) ahead.push([`${name}.${inner}`, inner, item as Json])
    }
  }
}

function* textsOf(name: string, key: string, value: string): Generator<Argument> {
  if (value.length < 6) return
  const isPlain = value.length <= MAX_NAMED && !/["\n\\]/.test(value)
  // Its name tells what a short value is: `password: "…"`.
  if (isPlain) yield { name, text: `${key}="${value}"`, offset: key.length + 2 }
  else yield { name, text: value, offset: 0 }
  const decoded = /%[0-9A-Fa-f]{2}/.test(value) ? decode(value) : value
  if (decoded !== value) yield { name, text: decoded, offset: 0 }
}

function decode(value: string): string {
  return value.replace(/(?:%[0-9A-Fa-f]{2})+/g, (escaped) => {
    try {
      return decodeURIComponent(escaped)
    } catch {
      return escaped
    }
  })
}

/** Programs that talk to other machines with what their command line holds. */
const NETWORK = new Set(
  (
    'curl wget http https xh httpie nc ncat netcat socat telnet ssh scp sftp rsync ftp lftp git gh glab hub svn hg ' +
    'aws gcloud az doctl heroku fly flyctl vercel netlify wrangler firebase supabase docker podman helm kubectl oc terraform pulumi ' +
    'npm pnpm yarn bun twine cargo gem mail sendmail mutt swaks psql mysql mongosh mongo redis-cli sqlcmd ldapsearch smbclient ' +
    'rclone s3cmd mc nslookup dig host ping'
  ).split(' '),
)

/** Files made to keep secrets, which nobody commits: `.env`, keys, the credentials of programs. */
const KEEPS_SECRETS =
  /(?:^|\/)(?:\.env(?:\.[\w.-]+)?|[\w.-]+\.env|\.npmrc|\.pypirc|\.netrc|\.pgpass|\.my\.cnf|credentials(?:\.\w+)?|secrets?\.[\w.]+|[\w.-]*\.(?:pem|key|p12|pfx|jks|keystore|age|kdbx|tfvars)|id_[a-z0-9]+|\.htpasswd|kubeconfig)$|(?:^|\/)\.(?:aws|ssh|gnupg|kube|docker|secrets?)\//i

const EXAMPLE = /(?:example|sample|template|dist)(?:\.\w+)?$/i

/** Whether this file is a place where secrets belong. An example of one is committed, so it is not. */
function secretFile(path: string): boolean {
  return KEEPS_SECRETS.test(path) && !EXAMPLE.test(path)
}

/** Whether what a call carries goes to another machine, or may. What is not understood may. */
function leavesMachine({ call, risk }: CheckInput): boolean {
  const { kind, url } = call.descriptor
  switch (kind) {
    case 'fetch':
    case 'send':
      return true
    case 'execute':
      return (
        url !== undefined ||
        !risk.understood ||
        risk.parts.some(({ command }) => command.program === null || NETWORK.has(command.program))
      )
    case 'query':
    case 'other':
      return call.source === 'mcp' || url !== undefined
    default:
      return call.source === 'mcp' || (url !== undefined && !url.startsWith('file:'))
  }
}
