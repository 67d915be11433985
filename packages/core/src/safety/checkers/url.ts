import { reachOf } from '../../call/address/classify.ts'
import { isAddress } from '../../call/address/host.ts'
import { compileNameGlob } from '../../policy/match/glob.ts'
import { type CheckAnswer, type Checker, type CheckInput, textsOf } from '../checker.ts'
import { lookalikeOf } from './lookalike-host.ts'

const MOST_URLS = 64
const LONGEST = 8_192
/** Programs that take a host without a scheme. */
const FETCHERS: ReadonlySet<string> = new Set('curl curlie wget http https xh xhs aria2c lynx w3m'.split(' '))
/** A plain number beside an option: `--max-time 2.5`. */
const NUMBER = /^\d{1,8}(?:\.\d+)?$/
const URL_IN_WORD = /[a-z][a-z0-9+.-]{1,31}:\/\/[^\s'"`<>|;]+/gi

/** Whether the places a call reaches are what they seem: scheme, address, host, and no credentials in the open. */
export const urlChecker: Checker = {
  name: 'url',
  check(input) {
    const urls = urlsOf(input)
    if (urls.length === 0) return { status: 'skip', message: 'it does not contain a URL' }
    const schemes = textsOf(input.settings, 'url', 'schemes')
    const allowed = textsOf(input.settings, 'url', 'allow').map((host) => compileNameGlob(host))
    const found = urls.slice(0, MOST_URLS).map((url) => look(url, schemes, (host) => allowed.some((is) => is(host))))
    if (urls.length > MOST_URLS) found.push(failing(`it contains more than ${MOST_URLS} URLs`, 'use fewer at once'))
    return worst(found)
  },
}

/** The URLs of the call, and those in the words of its command. */
function urlsOf({ call, risk }: CheckInput): readonly string[] {
  const { url, urls } = call.descriptor
  const found = new Set(urls ?? (url === undefined ? [] : [url]))
  for (const { command } of risk.parts)
    for (const { value } of command.args) {
      const word = (value ?? '').slice(0, LONGEST)
      for (const [match] of word.matchAll(URL_IN_WORD)) found.add(match)
      if (FETCHERS.has(command.program ?? '') && isNearHost(word)) found.add(`http://${word}`)
    }
  return [...found]
}

/**
 * Whether a word without a scheme leads to an address or a name of this network. Only those: a word may as well be a
 * file or the value of an option, and a public host is nothing to warn of.
 */
function isNearHost(word: string): boolean {
  if (word.startsWith('-') || word.includes('://') || NUMBER.test(word)) return false
  const host = parse(`http://${word}`)?.hostname ?? ''
  const reach = host === '' ? 'public' : reachOf(host)
  return reach === 'private' ? isAddress(host) || host.includes('.') : reach !== 'public'
}

function look(text: string, schemes: readonly string[], isAllowed: (host: string) => boolean): CheckAnswer {
  const url = parse(text)
  if (url === null) return failing('a URL can’t be parsed, so its destination is unknown', 'write the full URL')
  const scheme = url.protocol.slice(0, -1)
  if (!schemes.includes(scheme))
    return failing(`the scheme \`${scheme}\` is not one of ${schemes.join(', ')}`, 'use one of them')
  if (url.username !== '' || url.password !== '')
    return failing(
      `the URL of \`${url.hostname}\` contains a user name or password`,
      'pass credentials in a header, and check the host',
    )
  const host = hostOf(url)
  if (host === null)
    return failing('the host of a URL can’t be parsed, so its destination is unknown', 'write the full URL')
  if (host === '' || isAllowed(host)) return { status: 'pass', message: `\`${host}\` is allowed` }
  return lookAtHost(host)
}

/** The host in its one spelling: `URL` leaves `postgres://0x7f.1` as it stands, and whoever connects does not. */
function hostOf({ hostname }: URL): string | null {
  if (hostname === '') return ''
  return parse(`http://${hostname}`)?.hostname.replace(/\.+$/, '') ?? null
}

function lookAtHost(host: string): CheckAnswer {
  const reach = reachOf(host)
  if (reach === 'metadata')
    return {
      status: 'fail',
      message: `\`${host}\` is a cloud metadata service, which returns credentials`,
      suggestion: 'if you intend that, allow it with `url: { allow: … }`',
      overridable: false,
    }
  if (reach === 'private')
    return failing(`\`${host}\` is in a private network`, 'if you intend that, allow it with `url: { allow: … }`')
  const like = lookalikeOf(host)
  if (like?.kind === 'poses') {
    const of = like.of === null ? 'mixes letters of several scripts' : `looks like \`${like.of}\` but is not`
    return failing(`the host \`${like.shown}\` (\`${host}\`) ${of}`, 'check the spelling of the host')
  }
  if (like?.kind === 'foreign')
    return {
      status: 'warn',
      message: `the host \`${host}\` reads \`${like.shown}\`: check that it is the intended host`,
    }
  if (reach === 'loopback') return { status: 'warn', message: `\`${host}\` is this machine itself` }
  if (isAddress(host)) return { status: 'warn', message: `\`${host}\` is an IP address, not a name` }
  return { status: 'pass', message: `\`${host}\` is a public name, which was not resolved` }
}

function parse(text: string): URL | null {
  if (text.length > LONGEST) return null
  try {
    return new URL(text)
  } catch {
    return null
  }
}

function failing(message: string, suggestion: string): CheckAnswer {
  return { status: 'fail', message, suggestion, overridable: true }
}

const ORDER = { pass: 0, skip: 0, warn: 1, fail: 2 } as const

/** The worst of several; a failure that nobody may override before one that a person may. */
function worst(found: readonly CheckAnswer[]): CheckAnswer {
  const weight = ({ status, overridable }: CheckAnswer): number =>
    ORDER[status] * 2 + (status === 'fail' && overridable !== true ? 1 : 0)
  return found.reduce((most, one) => (weight(one) > weight(most) ? one : most))
}
