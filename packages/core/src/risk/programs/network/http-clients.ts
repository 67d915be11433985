import type { CommandPart } from '../../../command/model/decomposition.ts'
import { programRow, rowList } from '../../../knowledge/programs.ts'
import { arityOfRow, hasOption, lastValue, type Reading, readArgs } from '../../arguments/argument-parser.ts'
import { targetNamed } from '../../arguments/displayable-name.ts'
import type { LocatedPath } from '../../path/located-path.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'
import type { Assess } from '../assessor/assessor.ts'
import { isLocalHost } from '../assessor/host-location.ts'
import {
  hasLiteralSecret,
  isLocalFile,
  isLocalTarget,
  isMetadata,
  isWholeStore,
  leaksCredential,
  movesMoney,
  reachesPeople,
  sendsByAddress,
  type WebTarget,
  webTarget,
} from './http-target.ts'

/** What a command for HTTP does, whichever program it is. */
export interface WebUse {
  /** Upper case; `?` when it is not known. */
  readonly method: string
  readonly targets: readonly WebTarget[]
  readonly sends: boolean
  /** A file is uploaded as it is. */
  readonly uploads: boolean
  readonly saves: boolean
  /** What is sent beside the address, unknown parts included. */
  readonly sent: string
  /** A file of the system is among what it reads. */
  readonly system?: boolean
}

const UPLOAD = new Set(['-T', '--upload-file'])
const STEERED = new Set(['-K', '--config', '--netrc-file'])
const METHOD = new Set(['-X', '--request'])
const ASKS = new Set(['-G', '--get', '-I', '--head'])
const OUTPUT = new Set(['-o', '--output'])
const WGET_STEERED = new Set(['-e', '--execute', '--use-askpass', '--config'])
const WGET_POSTS = new Set(['--post-data', '--post-file'])
const WGET_BODY = new Set(['--body-data', '--body-file'])
const WGET_OUTPUT = new Set(['-O', '--output-document'])
const WGET_FILES = new Set(['--post-file', '--body-file'])
const WGET_SENT = new Set(['--post-data', '--body-data', '--header'])
const HTTPIE_SAVES = new Set(['-d', '--download', '-o', '--output'])
const SOCKET = new Set(['--unix-socket', '--abstract-unix-socket'])

/** `curl`, `curlie`. */
export const assessCurl: Assess = ({ part, program, row, paths }) => {
  const reading = readArgs(part, arityOfRow(row))
  if (hasOption(reading, STEERED))
    return finding('high', 'network.config', `${program} reads its options from a file`, 'unknown')
  const given = lastValue(reading, METHOD)
  const data = hasOption(reading, rowList('curl', 'data_options'))
  const uploads = hasOption(reading, UPLOAD)
  const gets = hasOption(reading, ASKS)
  const method =
    given === null ? '?' : (given?.toUpperCase() ?? (gets ? 'GET' : data ? 'POST' : uploads ? 'PUT' : 'GET'))
  const urls = reading.options
    .filter(({ name }) => name === '--url')
    .map(({ at }) => (part.args[at]?.value === '--url' ? at + 1 : at))
  const use: WebUse = {
    method,
    targets: [...reading.words.map(({ at }) => at), ...urls].map((at) => webTarget(part, at)),
    sends: data && !gets,
    uploads,
    saves: hasOption(reading, rowList('curl', 'saving_options')) && !savesNowhere(reading),
    sent: sentText(part, reading, rowList('curl', 'sent_options')),
  }
  if (hasOption(reading, SOCKET))
    return isReading(use)
      ? finding('low', 'network.socket', `${program} sends a request to a local service`)
      : finding('high', 'network.socket', `${program} controls a local service through its socket`, 'unknown')
  return rateWebUse(program, { ...use, system: sendsSystemFile(paths) })
}

/** Whether every address that `curl` is given is plainly on this machine. */
export function curlStaysHere(part: CommandPart): boolean {
  const row = programRow('curl')
  if (row === undefined) return false
  const reading = readArgs(part, arityOfRow(row))
  if (hasOption(reading, rowList('curl', 'other_host_options')) || reading.words.length === 0) return false
  return reading.words.every(({ value, at }) => value !== null && isLocalHost(webTarget(part, at).host ?? ''))
}

function savesNowhere(reading: Reading): boolean {
  return /^(?:\/dev\/null|-|\/dev\/stdout)$/.test(lastValue(reading, OUTPUT) ?? '')
}

/** The words of options that send something, as written. */
function sentText(part: CommandPart, { options }: Reading, names: ReadonlySet<string>): string {
  return options
    .filter(({ name }) => names.has(name))
    .map(({ at }) => `${part.args[at]?.text ?? ''} ${part.args[at + 1]?.text ?? ''}`)
    .join(' ')
}

/** `wget`: it saves unless told otherwise. */
export const assessWget: Assess = ({ part, program, row, paths }) => {
  const reading = readArgs(part, arityOfRow(row))
  if (hasOption(reading, WGET_STEERED))
    return finding('high', 'network.config', `${program} reads its options from a file or a setting`, 'unknown')
  const posts = hasOption(reading, WGET_POSTS)
  const body = hasOption(reading, WGET_BODY)
  const given = lastValue(reading, new Set(['--method']))
  const output = lastValue(reading, WGET_OUTPUT)
  const prints =
    output === '-' || output === '/dev/null' || output === '/dev/stdout' || hasOption(reading, new Set(['--spider']))
  return rateWebUse(program, {
    method: given === null ? '?' : (given?.toUpperCase() ?? (posts ? 'POST' : 'GET')),
    targets: reading.words.map(({ at }) => webTarget(part, at)),
    sends: posts || body,
    uploads: hasOption(reading, WGET_FILES),
    saves: !prints,
    sent: sentText(part, reading, WGET_SENT),
    system: sendsSystemFile(paths),
  })
}

/** `http`, `https`, `xh`: a method, an address, and what is sent as plain words. */
export const assessHttpie: Assess = ({ part, program, row }) => {
  const reading = readArgs(part, arityOfRow(row))
  const words = reading.words.filter(
    ({ value }, at) => !(program === 'httpie' && at === 0 && /^https?$/.test(value ?? '')),
  )
  const [first] = words
  if (first === undefined) return finding('none', 'network.bare', `${program} has no URL or host`)
  const named = /^(?:[A-Z]{3,8}|get|post|put|patch|delete|head|options)$/.test(first.value ?? '')
  const items = words.slice(named ? 2 : 1)
  const data =
    items.some(({ value }) => value === null || /^[^:=@]+(?:=|:=|@)[^=]/.test(value)) ||
    hasOption(reading, new Set(['--raw']))
  const url = named ? words[1] : first
  return rateWebUse(program, {
    method: named ? (first.value?.toUpperCase() ?? '?') : data || part.stdin.kind !== 'none' ? 'POST' : 'GET',
    targets: url === undefined ? [] : [webTarget(part, url.at)],
    sends: data,
    uploads: items.some(({ value }) => /^[^:=]*@./.test(value ?? '')),
    saves: hasOption(reading, HTTPIE_SAVES),
    sent: items.map(({ at }) => part.args[at]?.text ?? '').join(' '),
  })
}

function sendsSystemFile(paths: readonly LocatedPath[]): boolean {
  return paths.some(({ use, place, soft }) => use === 'read' && place === 'system' && !soft)
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'])

function isReading({ method, sends, uploads }: WebUse): boolean {
  return READING.has(method) && !sends && !uploads
}

/** The output of a command in an address; a date or a version is part of many. */
const CARRIES = /\$\((?! ?(?:date|git|uname|echo|node|jq|cat VERSION|cat \.))|`/

/** Rates what goes out, where to, and what is done there. */
export function rateWebUse(program: string, use: WebUse): RiskFinding {
  const { method, targets, saves, sent } = use
  const remote = targets.filter((target) => !isLocalTarget(target))
  const host = (remote[0] ?? targets[0])?.host ?? null
  const extent = targetNamed(host)
  if (targets.some(isMetadata))
    return finding(
      'high',
      'network.metadata',
      `${program} reads the cloud’s metadata service, which returns credentials`,
      'no',
      extent,
    )
  if (remote.some((target) => hasLiteralSecret(target.text) || leaksCredential(`${target.text} ${sent}`, target.host)))
    return finding(
      'critical',
      'network.credential',
      `${program} sends a credential to a host it does not belong to`,
      'no',
      extent,
    )
  const reads = isReading(use)
  if (targets.some(sendsByAddress) || (!reads && targets.some(reachesPeople)))
    return finding('high', 'network.message', `${program} sends a message that people receive`, 'no', extent)
  if (reads && remote.some(({ text }) => CARRIES.test(text)))
    return finding('medium', 'network.address-data', `${program} sends the output of a command in a URL`, 'no', extent)
  if (reads) return rateFetch(program, targets, saves, extent)
  if (use.system === true && remote.length > 0)
    return finding('high', 'network.system-file', `${program} sends a system file to a server`, 'no', extent)
  const money = targets.map(movesMoney).find((one) => one !== null) ?? null
  if (money !== null)
    return finding(money === 'pays-out' ? 'critical' : 'high', 'network.money', `${program} moves money`, 'no', extent)
  if (method === 'DELETE') {
    const whole = targets.some(isWholeStore)
    return finding(
      whole ? 'critical' : 'high',
      'network.delete',
      `${program} deletes ${whole ? 'a whole store or collection' : 'something'} on a server`,
      'no',
      { reach: whole ? 'all' : 'one', ...extent },
    )
  }
  if (targets.some(({ path }) => /_delete_by_query|\/_shutdown|\/_close\b/.test(path)))
    return finding(
      /match_all/.test(sent) ? 'critical' : 'high',
      'network.delete',
      `${program} deletes or closes a data store`,
      'no',
      { reach: 'many', ...extent },
    )
  if (method === '?' || !/^(?:POST|PUT|PATCH|GET|QUERY|HEAD|OPTIONS)$/.test(method))
    return finding(
      'high',
      'network.change',
      `${program} uses an HTTP method that may change or delete`,
      'unknown',
      extent,
    )
  const local = targets.length > 0 && remote.length === 0
  if (method === 'PUT' || method === 'PATCH') {
    const level = local || (use.uploads && method === 'PUT') ? 'medium' : 'high'
    return finding(level, 'network.change', `${program} changes something on a server`, 'partly', extent)
  }
  return local
    ? finding('low', 'network.send', `${program} sends data to a server on this machine`, 'partly', extent)
    : finding('medium', 'network.send', `${program} sends data to a server`, 'no', extent)
}

function rateFetch(
  program: string,
  targets: readonly WebTarget[],
  saves: boolean,
  extent: { target?: string },
): RiskFinding {
  // Its path is rated like every other path.
  if (targets.length > 0 && targets.every(isLocalFile))
    return finding('none', 'network.file', `${program} only reads a file`)
  if (targets.some(({ host }) => host === null))
    return finding('low', 'network.fetch-unknown', `${program} sends a request to an unknown URL`, 'yes', extent)
  return saves
    ? finding('low', 'network.fetch', `${program} saves a download`, 'yes', extent)
    : finding('none', 'network.fetch', `${program} only fetches`, 'yes', extent)
}
