import type { CommandPart, CommandWord } from '../../command/model/decomposition.ts'
import { lowerCase } from '../../command/programs/program-names.ts'
import { findVerb } from '../../command/programs/subcommand.ts'
import { PROGRAMS } from '../../knowledge/compiled/network.ts'
import type { ContactRow } from '../../knowledge/network.ts'
import type { OwnKnowledge, OwnRows } from '../../knowledge/own-knowledge.ts'
import { type ProgramRow, programRow } from '../../knowledge/programs.ts'
import { type Arity, arityOfRow, type Reading, readArgs } from '../arguments/argument-parser.ts'
import { typedOptions } from '../arguments/typed-options.ts'
import type { HostUse } from '../report/report.ts'
import { isOnlyReading } from './web-client-use.ts'
import {
  deviceHost,
  imageHost,
  linkHosts,
  plainHost,
  remoteHost,
  socketHost,
  urlHost,
  type WordHost,
} from './word-hosts.ts'

const NONE: readonly HostUse[] = []
const EVERYTHING = 64

let rows: ReadonlyMap<string, ContactRow> | undefined

/** The row of a program that contacts hosts. */
export function contactRow(program: string): ContactRow | undefined {
  rows ??= new Map(PROGRAMS.contacts.flatMap((row) => row.names.map((name) => [name, row] as const)))
  return rows.get(program)
}

/** The hosts that one simple command contacts, as far as its words tell. */
export function commandHosts(part: CommandPart, own?: OwnKnowledge): readonly HostUse[] {
  const name = part.program === null || part.defined === true ? undefined : lowerCase(part.program)
  const row = name === undefined ? undefined : contactRow(name)
  const opened = part.redirections.length === 0 ? NONE : openedHosts(part)
  const taught = name === undefined ? undefined : own?.programs.get(name)
  if (row === undefined && taught === undefined) return opened
  return [
    ...opened,
    ...(row === undefined ? NONE : contacted(part, row)),
    ...(taught ? taughtHosts(part, taught) : NONE),
  ]
}

/** Hosts that options of own rows name. */
function taughtHosts(part: CommandPart, { replacing, raising }: OwnRows<ProgramRow>): readonly HostUse[] {
  const found = [...replacing, ...raising].flatMap(({ row }) =>
    typedOptions(part, row).flatMap(({ type, value }) =>
      type === 'host' && value !== null ? [plainHost(value, null)] : [],
    ),
  )
  return distinct(present(found)).map((host) => hostUse(host, 'send', true))
}

/** Connections that Bash itself opens: `exec 3<>/dev/tcp/host/80`. */
function openedHosts({ redirections }: CommandPart): readonly HostUse[] {
  return redirections.flatMap(({ target, operator }): readonly HostUse[] => {
    const found = target === null ? null : deviceHost(target)
    return found === null ? [] : [hostUse(found, operator === '<' ? 'read' : 'send', true)]
  })
}

function contacted(part: CommandPart, row: ContactRow): readonly HostUse[] {
  const verb = verbUse(part, row)
  if (verb === null) return NONE
  const reading = readArgs(part, arityOf(part, row))
  const found = [...namedByWords(part, row, reading, verb.words), ...namedByOptions(row, reading)]
  const others = distinct([...found, ...namedBySettings(part)])
  const isReading = verb.use === 'read' && isOnlyReading(part, row, reading)
  const uses = others
    .slice(0, EVERYTHING)
    .map((host) => hostUse(host, isReading && !carriesCredentials(host) ? 'read' : 'send', row.certain !== false))
  if (others.length > EVERYTHING) uses.push(hostUse('unknown', 'send', false))
  const isElsewhere = (found.length > 0 && row.takes === 'image') || namesOnlyFolders(part, reading, verb.words)
  const usual = isElsewhere ? [] : (row.hosts ?? [])
  return [
    ...uses,
    ...usual.map((host): HostUse => ({ host, port: 443, use: isReading ? 'read' : 'send', certain: false })),
  ]
}

/** `npm install ./lib` takes the package from a folder. */
function namesOnlyFolders(part: CommandPart, { words }: Reading, from: number): boolean {
  const named = words.filter(({ at }) => at >= from).map(({ at }) => part.args[at]?.value ?? null)
  return named.length > 0 && named.every((value) => value !== null && /^(?:\.{0,2}\/|file:)/.test(value))
}

function distinct(hosts: readonly Found[]): readonly Found[] {
  const seen = new Set<string>()
  return hosts.filter((host) => {
    const key = JSON.stringify(host)
    return !seen.has(key) && seen.add(key)
  })
}

function carriesCredentials(host: Exclude<WordHost, null>): boolean {
  return host === 'unknown' || host.hasCredentials
}

function hostUse(found: Exclude<WordHost, null>, use: HostUse['use'], certain: boolean): HostUse {
  if (found === 'unknown') return { host: null, port: null, use, certain: false }
  return { host: found.host, port: found.port, use, certain }
}

/** How the verb uses its hosts, and the words after it; null if it contacts none. */
function verbUse(
  part: CommandPart,
  { reads, sends, use = 'read' }: ContactRow,
): { readonly use: HostUse['use']; readonly words: number } | null {
  if (reads === undefined && sends === undefined) return { use, words: 0 }
  const found = findVerb(part)
  if (found.kind === 'none') return null
  if (found.kind === 'unknown') return { use: 'send', words: 0 }
  const words = part.args.length - found.rest.length
  if (sends?.includes(found.verb) === true) return { use: 'send', words }
  return reads?.includes(found.verb) === true ? { use: 'read', words } : null
}

const ARITIES = new WeakMap<ContactRow, Arity>()

/** The options of the program's own row, and those that this table names. */
function arityOf({ program }: CommandPart, row: ContactRow): Arity {
  const known = ARITIES.get(row)
  if (known !== undefined) return known
  const own = programRow(lowerCase(program ?? ''))
  const base: Arity = own === undefined ? { valued: new Set(), flags: new Set() } : arityOfRow(own)
  const valued = new Set([...base.valued, ...(row.via ?? []), ...(row.unseen ?? [])])
  const arity = { ...base, valued }
  ARITIES.set(row, arity)
  return arity
}

type Found = Exclude<WordHost, null>

function namedByWords(part: CommandPart, row: ContactRow, { words }: Reading, from: number): readonly Found[] {
  const all = words.filter(({ at }) => at >= from)
  const plain = all.flatMap(({ at }) => part.args[at] ?? [])
  const [first, second] = plain
  const { takes } = row
  if (takes === undefined) return []
  switch (takes) {
    case 'urls':
      return present((row.reader === 'httpie' ? urlOfHttpie(plain) : plain).map(urlHost))
    case 'links':
      return present(part.args.flatMap(linkHosts))
    case 'hosts':
      return present(plain.filter(looksLikeHost).map((word) => plainHost(atSign(word), null)))
    case 'first':
      return first === undefined ? [] : present([withPort(plainHost(first, row.port ?? null), second)])
    case 'remotes':
      return present(plain.map((word) => (word.value === null ? 'unknown' : remoteHost(word, true))))
    case 'repository':
      return present(plain.map((word, at) => remoteHost(word, at === 0)))
    case 'image':
      return first === undefined ? [] : present([imageHost(first)])
    case 'sockets':
      return present(part.args.map(socketHost))
  }
}

function present(hosts: readonly WordHost[]): readonly Found[] {
  return hosts.filter((host): host is Found => host !== null)
}

/** HTTPie takes a method before the URL, and data after it. */
function urlOfHttpie(plain: readonly CommandWord[]): readonly CommandWord[] {
  const words = /^https?$/.test(plain[0]?.value ?? '') ? plain.slice(1) : plain
  const isMethod = /^(?:[A-Z]{3,8}|get|post|put|patch|delete|head|options)$/.test(words[0]?.value ?? '')
  return words.slice(isMethod ? 1 : 0, isMethod ? 2 : 1)
}

/** Record types, counts and subcommands have no dot. */
function looksLikeHost({ value }: CommandWord): boolean {
  return value === null || (/[.:]/.test(value) && !/^[+\d.]+$/.test(value)) || /^\d+\.\d+\.\d+\.\d+$/.test(value ?? '')
}

/** `dig @1.1.1.1` asks that server. */
function atSign(word: CommandWord): CommandWord {
  return word.value?.startsWith('@') === true ? { ...word, value: word.value.slice(1) } : word
}

function withPort(host: WordHost, next: CommandWord | undefined): WordHost {
  if (host === null || host === 'unknown' || host.port !== null || !/^\d{1,5}$/.test(next?.value ?? '')) return host
  return { ...host, port: Number(next?.value) }
}

/** Proxies, indexes and other hosts that options name. */
function namedByOptions({ via = [], unseen = [] }: ContactRow, { options }: Reading): readonly Found[] {
  return options.flatMap(({ name, value }): readonly Found[] => {
    if (unseen.includes(name)) return ['unknown']
    if (!via.includes(name) || value === undefined || value === '') return []
    if (value === null) return ['unknown']
    // `--resolve name:443:address` and `--connect-to a:1:b:2` end with the address that is really contacted.
    const mapped = /^--(?:resolve|connect-to)$/.test(name) ? value.split(/:(?![^[]*\])/) : null
    const text = mapped === null ? value : (mapped[2] ?? '')
    if (text === '' || text.startsWith('/') || text.startsWith('.')) return []
    return present(text.split(',').map((one) => plainHost({ text: one, value: one, glob: false }, null)))
  })
}

/** Proxies, registries and servers in variables before the command. */
function namedBySettings({ assignments }: CommandPart): readonly Found[] {
  return assignments.flatMap(({ name, value }): readonly Found[] => {
    // `PGHOST=db.example psql`, `GH_HOST=git.example gh`
    const isHost = (/(?:^|_)proxy$/i.test(name) && !/^no_/i.test(name)) || /HOST$/.test(name)
    if (value === null) return isHost ? ['unknown'] : []
    if (value === '') return []
    const word = { text: value, value, glob: false }
    return present(isHost ? [plainHost(word, null)] : linkHosts(word))
  })
}
