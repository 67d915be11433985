import type { CommandPart } from '../../command/model/decomposition.ts'
import type { ContactRow } from '../../knowledge/network.ts'
import { rowList } from '../../knowledge/programs.ts'
import { hasOption, lastValue, type Reading } from '../arguments/argument-parser.ts'

const METHOD = new Set(['-X', '--request', '--method'])
const HEADER = new Set(['-H', '--header', '--proxy-header'])
const AS_QUERY = new Set(['-G', '--get'])

/** Whether a command only reads: GET or HEAD, without a body and without credentials. */
export function isOnlyReading(part: CommandPart, { reader, sending = [] }: ContactRow, reading: Reading): boolean {
  if (sending.length > 0 && hasOption(reading, new Set(sending))) return false
  if (reader === undefined) return true
  const method = lastValue(reading, METHOD)
  if (method === null || (method !== undefined && !/^(?:GET|HEAD)$/i.test(method))) return false
  if (!reading.options.every(({ name, value }) => !HEADER.has(name) || isHarmlessHeader(value ?? null))) return false
  if (reader === 'curl') return hasOption(reading, AS_QUERY) || !hasOption(reading, rowList('curl', 'data_options'))
  return reader === 'wget' || isPlainRequest(part, reading)
}

/** Headers that carry no credentials. Any other may. */
const HARMLESS =
  /^(?:accept(?:-\w+)*|user-agent|cache-control|pragma|range|if-[\w-]+|content-type|connection|dnt|origin|referer|x-requested-with|x-github-api-version)$/i

/** Whether a header, as `Name: value` or as its name, can't hold credentials. */
export function isHarmlessHeader(header: string | null): boolean {
  if (header === null || header.includes('$')) return false
  return HARMLESS.test((header.split(':', 1)[0] ?? '').trim())
}

/** HTTPie without data: a word such as `name=value` makes it a POST. */
function isPlainRequest({ stdin }: CommandPart, { words }: Reading): boolean {
  const rest = words.map(({ value }) => value)
  const [first] = rest
  const isMethod = /^(?:[A-Z]{3,8}|get|post|put|patch|delete|head|options)$/.test(first ?? '')
  if (isMethod && !/^(?:GET|HEAD)$/i.test(first ?? '')) return false
  const items = rest.slice(isMethod ? 2 : 1)
  return (stdin.kind === 'none' || isMethod) && items.every((item) => item !== null && isQueryOrHeader(item))
}

function isQueryOrHeader(item: string): boolean {
  if (/^[^:=@]+==/.test(item)) return true
  const header = /^([^:=@]+):(?!=)/.exec(item)?.[1]
  return header !== undefined && isHarmlessHeader(header)
}
