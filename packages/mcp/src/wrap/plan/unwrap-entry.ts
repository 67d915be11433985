import { isDeepStrictEqual } from 'node:util'
import type { Json, JsonObject } from '@countersign/core'
import { isObject } from '../../json/value.ts'
import type { ClientShape } from '../config/clients.ts'
import { headerEnvIn, variableIn, variableMembers } from '../config/header-variables.ts'
import { type Edit, type Member, memberOf, quoted, type ServerEntry, spelled, spelledTexts } from '../config/text.ts'
import { HEADERS_VARIABLE, readHeaders, URL_VARIABLE } from '../entry/command-line.ts'
import type { GateLine } from '../entry/command-line-parser.ts'
import { type EntryFate, left } from '../entry/edit-result.ts'

type Texts = { readonly [name: string]: string }

/**
 * Takes our words out of a server as it stands now; the rest of it stays as it is. `line` is how its words were read, `was`
 * what the server was when it was wrapped, where that is known.
 */
export function unwrapEntry(
  entry: ServerEntry,
  shape: ClientShape,
  { inner, ours, flags }: GateLine,
  was: JsonObject | null,
): EntryFate {
  const command = memberOf(entry, 'command')
  const args = memberOf(entry, 'args')
  if (command === undefined || (command.items === null && args === undefined))
    return left('it is spelled in a way that cannot be edited safely')
  if ('url' in inner) return unwrapAddress(entry, shape, inner.url, headerEnvIn(flags), command, args, was ?? {})
  const [program = '', ...rest] = inner.command
  if (command.items !== null)
    return {
      kind: 'edit',
      inner,
      edits: [dropItems(command, ours)],
      data: { ...entry.data, command: inner.command },
    }
  return {
    kind: 'edit',
    inner,
    edits: [{ ...command.value, text: quoted(program) }, ...(args === undefined ? [] : [dropItems(args, ours)])],
    data: { ...entry.data, command: program, args: rest },
  }
}

function unwrapAddress(
  entry: ServerEntry,
  shape: ClientShape,
  url: string,
  fromVariables: readonly string[],
  command: Member,
  args: Member | undefined,
  was: JsonObject,
): EntryFate {
  const { command: _command, args: _args, ...others } = entry.data
  const after: { [key: string]: Json } = { ...others }
  const key = shape.url.find((one) => was[one] !== undefined) ?? shape.url[0] ?? 'url'
  after[key] = url
  const edits: Edit[] = [
    { start: command.keySpan.start, end: command.value.end, text: spelled(entry, key, quoted(url)) },
  ]
  if (args !== undefined) edits.push(dropMember(entry, args))
  const notes: string[] = []
  for (const kind of ['type', 'transport']) {
    const member = memberOf(entry, kind)
    const before = was[kind]
    // What says that it is a program says nothing true of an address; anything else by this name is not ours.
    if (member === undefined || (kind === 'transport' && member.data !== shape.stdio)) continue
    const http = typeof before === 'string' ? before : shape.http
    edits.push({ ...member.value, text: quoted(http) })
    after[kind] = http
    if (typeof before !== 'string' && shape.httpTypes.includes('sse'))
      notes.push(
        `what its \`${kind}\` was is not known, and is \`${http}\` now; say \`sse\` for a server of the older transport`,
      )
  }
  const env = memberOf(entry, shape.env)
  const given = entry.data[shape.env]
  const names = isObject(given) ? Object.keys(given) : []
  const ours = names.filter((name) => name === HEADERS_VARIABLE || name === URL_VARIABLE)
  if (isObject(given) && ours.length > 0) {
    if (env === undefined) return left('it is spelled in a way that cannot be edited safely')
    if (ours.length < names.length)
      return left(`it has variables beside \`${ours.join('` and `')}\`; move those back by hand`)
    delete after[shape.env]
    const variable = given[HEADERS_VARIABLE]
    if (typeof variable === 'string') {
      const headers = readHeaders(variable)
      const span = { start: env.keySpan.start, end: env.value.end }
      edits.push({ ...span, text: spelled(entry, shape.headers, spelledTexts(entry, headers)) })
      after[shape.headers] = headers
    } else edits.push(dropMember(entry, env))
  }
  if (fromVariables.length > 0) {
    const { variables } = shape
    const handedOn = variables === null ? undefined : memberOf(entry, variables.handedOn)
    const names = fromVariables.map(variableIn)
    if (variables === null || handedOn === undefined || !isDeepStrictEqual(handedOn.data, names))
      return left(`it has headers from variables (\`${names.join('`, `')}\`); move those back by hand`)
    const members = variableMembers(fromVariables, variables)
    const spelling = Object.entries(members).map(([name, value]) =>
      spelled(entry, name, typeof value === 'string' ? quoted(value) : spelledTexts(entry, value as Texts)),
    )
    const text = spelling.join(entry.style === 'toml-line' ? '\n' : ', ')
    edits.push({ start: handedOn.keySpan.start, end: handedOn.value.end, text })
    delete after[variables.handedOn]
    Object.assign(after, members)
  }
  return { kind: 'edit', edits, data: after, inner: { url }, notes }
}

/**
 * Drops our words from a list: of a whole command line as many as there are; of `args`, which has no program, the
 * server's own program with them.
 */
function dropItems(list: Member, ours: number): Edit {
  const items = list.items ?? []
  const first = items[0]
  const kept = items[ours]
  if (first === undefined) return { start: list.value.start, end: list.value.start, text: '' }
  if (kept !== undefined) return { start: first.start, end: kept.start, text: '' }
  return { ...list.value, text: '[]' }
}

/** Drops a member with the comma or the line break before it, or after it when it is the first. */
function dropMember(entry: ServerEntry, member: Member): Edit {
  const at = entry.members.indexOf(member)
  const before = entry.members[at - 1]
  if (before !== undefined) return { start: before.value.end, end: member.value.end, text: '' }
  const next = entry.members[at + 1]
  return { start: member.keySpan.start, end: next?.keySpan.start ?? member.value.end, text: '' }
}
