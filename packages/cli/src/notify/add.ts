import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { CountersignError, safeText } from '@countersign/core'
import { controlService, type Home, openHome } from '@countersign/node'
import {
  CHANNEL_NAME,
  type ChannelSettings,
  changeSettings,
  makeSecret,
  makeSigningKey,
  publicHalf,
  readSettings,
  setIn,
  urlProblem,
} from '@countersign/notify'
import { type Io, print, printJson, say } from '../terminal/io.ts'

/** The flags of `notify add`. */
export interface AddFlags {
  readonly name?: string
  readonly from?: string
  readonly tokenFile?: string
  readonly secretFile?: string
  readonly ed25519?: true
  readonly private?: true
}

const MOST_SECRET = 4_096

/** Adds a channel, or a push service that browsers may use. */
export async function addChannel(kind: string, target: string | undefined, flags: AddFlags, io: Io): Promise<void> {
  const home = openHome(io.home === undefined ? undefined : resolve(io.cwd, io.home))
  if (kind === 'push-service') return addPushService(home, target, io)
  const channel = channelOf(kind, target, flags, io)
  const name = nameFor(kind, flags.name, home)
  changeSettings(home, (document) => setIn(document, ['channels', name], channel))
  const secrets = channel.kind === 'webhook' ? newSecrets(channel, flags) : {}
  if (io.json) return printJson(io, { added: name, kind, ...secrets })
  print(io, `added ${safeText(name)}`)
  for (const [what, secret] of Object.entries(secrets)) print(io, `${what}: ${secret}`)
  if (Object.keys(secrets).length > 0) say(io, 'give this to the receiver now; it is not shown again')
  await sayNext(home, name, io)
}

function channelOf(kind: string, target: string | undefined, flags: AddFlags, io: Io): ChannelSettings {
  const from = flags.from === undefined ? {} : ({ from: flags.from } as Pick<ChannelSettings, 'from'>)
  const isPrivate = flags.private === true ? { private: true } : {}
  switch (kind) {
    case 'desktop':
      return { kind, ...from }
    case 'ntfy': {
      const url = urlFor(kind, target, flags, 'https://ntfy.sh/your-secret-topic')
      const token = flags.tokenFile === undefined ? {} : { token: secretFrom(flags.tokenFile, io) }
      return { kind, url, ...isPrivate, ...from, ...token }
    }
    case 'webhook': {
      const url = urlFor(kind, target, flags, 'https://hooks.example/gate')
      const secret = flags.secretFile === undefined ? makeSecret() : secretFrom(flags.secretFile, io)
      const key = flags.ed25519 === true ? { signing_key: makeSigningKey() } : {}
      return { kind, url, ...isPrivate, ...from, secret, ...key }
    }
    default:
      throw new CountersignError(
        'CS_USAGE',
        `can’t add \`${safeText(kind)}\`; choose desktop, ntfy, webhook or push-service`,
      )
  }
}

/** What the receiver of a webhook needs, of what was made here. */
function newSecrets(channel: Extract<ChannelSettings, { kind: 'webhook' }>, flags: AddFlags): Record<string, string> {
  const { secret, signing_key: key } = channel
  return {
    ...(flags.secretFile === undefined ? { secret } : {}),
    ...(key === undefined ? {} : { 'public key': publicHalf(key) }),
  }
}

function urlFor(kind: 'ntfy' | 'webhook', target: string | undefined, flags: AddFlags, example: string): string {
  if (target === undefined)
    throw new CountersignError('CS_USAGE', `\`notify add ${kind}\` needs a URL, such as ${example}`)
  const problem = urlProblem(target, kind, flags.private === true)
  if (problem === null) return target
  throw new CountersignError('CS_USAGE', `the URL \`${safeText(target)}\` ${problem}`)
}

/** SECURITY: A18 secrets come from a file or a pipe: a command line is visible to every process. */
function secretFrom(file: string, io: Io): string {
  try {
    const text = readFileSync(file === '-' ? 0 : resolve(io.cwd, file), 'utf8').trim()
    if (text.length > 0 && text.length <= MOST_SECRET) return text
  } catch (cause) {
    throw new CountersignError('CS_USAGE', `\`${safeText(file)}\` can’t be read; name a file with the secret`, {
      cause,
    })
  }
  throw new CountersignError('CS_USAGE', `\`${safeText(file)}\` is empty or too long; put only the secret in it`)
}

function nameFor(kind: string, asked: string | undefined, home: Home): string {
  const taken = new Set(Object.keys(readSettings(home).channels))
  if (asked !== undefined && !CHANNEL_NAME.test(asked))
    throw new CountersignError('CS_USAGE', '`--name` must be lower-case letters, digits and dashes, such as `my-phone`')
  if (asked !== undefined && taken.has(asked))
    throw new CountersignError(
      'CS_USAGE',
      `a channel \`${asked}\` exists; remove it first, or choose another \`--name\``,
    )
  if (asked !== undefined) return asked
  let name = kind
  for (let count = 2; taken.has(name); count += 1) name = `${kind}-${count}`
  return name
}

function addPushService(home: Home, host: string | undefined, io: Io): void {
  if (host === undefined || URL.parse(`https://${host}/`)?.hostname !== host)
    throw new CountersignError('CS_USAGE', '`notify add push-service` needs a host, such as push.example')
  const hosts = readSettings(home).push?.hosts ?? []
  if (!hosts.includes(host)) changeSettings(home, (document) => setIn(document, ['push', 'hosts'], [...hosts, host]))
  if (io.json) {
    printJson(io, { added: host, kind: 'push-service' })
    return
  }
  print(io, `browsers may now use the push service ${safeText(host)}`)
}

async function sayNext(home: Home, name: string, io: Io): Promise<void> {
  say(io, `try it: countersign notify test ${safeText(name)}`)
  const runs =
    existsSync(home.run) && (await controlService(home, { do: 'status' }).catch(() => undefined)) !== undefined
  if (!runs) say(io, 'notifications are sent by the service; start it with `countersign serve`')
}
