import { awkActs } from './awk.ts'
import { type ActKind, CALL_NAMES } from './call-effects.ts'
import {
  argumentStarts,
  type Constants,
  closingParenthesis,
  constantsOf,
  ownerValue,
  valueAt,
} from './constant-values.ts'
import type { CodeAct } from './effect.ts'
import { type Aliases, aliasesOf, calledName } from './import-aliases.ts'
import type { Language } from './language-syntax.ts'
import { readRun } from './spawned-command.ts'
import type { CodeToken } from './token.ts'
import { codeTokens } from './tokenizer.ts'

/** Longer code is taken for the worst, unread. */
const MAX_LENGTH = 16 * 1024
/** So many are listed; more are as bad as unknown ones. */
const MAX_ACTS = 64

const LOOKUP: ReadonlyMap<Language, ReadonlyMap<string, ActKind>> = new Map(
  Object.entries(CALL_NAMES).map(([language, names]) => [
    language as Language,
    new Map(
      Object.entries(names).flatMap(([kind, words]) =>
        words.split(' ').map((word) => [word, kind as ActKind] as const),
      ),
    ),
  ]),
)

/** Names that look like one of the list and are harmless. */
const HARMLESS = new Set(['platform.system', 're.compile', 'os.path.join'])
/** Ways to a function past its name. */
const REFLECTS = new Set(['__dict__', '__builtins__', '__subclasses__', '__globals__', '__mro__', '__code__'])
const MODULES_OF_POWER = new Set(['os', 'subprocess', 'shutil', 'builtins', '__builtins__', 'sys'])

let last: { readonly text: string; readonly language: Language; readonly acts: readonly CodeAct[] } | null = null

/** Everything inline code does to files, programs and the network, as far as its calls say. Linear in its length. */
export function codeActs(text: string, language: Language): readonly CodeAct[] {
  // One assessment asks three times for the same code: what it runs, which paths it names, how bad it is.
  if (last === null || last.text !== text || last.language !== language)
    last = { text, language, acts: readActs(text, language) }
  return last.acts
}

function readActs(text: string, language: Language): readonly CodeAct[] {
  if (text.length > MAX_LENGTH) return [{ kind: 'eval', run: null, paths: [] }]
  if (language === 'awk') return awkActs(codeTokens(text, 'awk'))
  const tokens = codeTokens(text, language)
  const code: Code = { tokens, language, constants: constantsOf(tokens), aliases: aliasesOf(tokens) }
  const acts: CodeAct[] = []
  for (let at = 0; at < tokens.length; at++) {
    if (acts.length >= MAX_ACTS) return [...acts, { kind: 'eval', run: null, paths: [] }]
    const act = actAt(code, at)
    if (act !== null) acts.push(act)
  }
  return hidesPower(code, acts) ? [...acts, { kind: 'eval', run: null, paths: [] }] : acts
}

/** Takes hold of what can do anything, and nothing shows what for: `require('child_process')['exec' + x]`. */
function hidesPower({ tokens, language }: Code, acts: readonly CodeAct[]): boolean {
  if (language === 'node')
    return (
      !acts.some(({ kind }) => kind === 'run' || kind === 'eval') &&
      tokens.some(({ kind, text }) => kind === 'string' && /^(?:node:)?child_process$/.test(text))
    )
  if (language !== 'python') return false
  return tokens.some(({ kind, text }) => kind === 'name' && REFLECTS.has(text))
}

interface Code {
  readonly tokens: readonly CodeToken[]
  readonly language: Language
  readonly constants: Constants
  readonly aliases: Aliases
}

function actAt(code: Code, at: number): CodeAct | null {
  const token = code.tokens[at]
  if (token === undefined) return null
  if (isSign(token, '[') && hidesName(code, at)) return { kind: 'eval', run: null, paths: [] }
  if (token.kind === 'variable') return isEnvironment(code, at) ? { kind: 'environment', run: null, paths: [] } : null
  if (token.kind === 'shell')
    return { kind: 'run', run: { kind: 'shell', text: token.text, known: !token.dynamic }, paths: [] }
  if (token.kind === 'string' && code.language === 'other' && isStarted(code, at))
    return { kind: 'run', run: { kind: 'shell', text: token.text, known: !token.dynamic }, paths: [] }
  if (token.kind !== 'name') return null
  if (isEnvironment(code, at)) return { kind: 'environment', run: null, paths: [] }
  const kind = kindAt(code, at)
  if (kind === null) return dynamicLoad(code, at)
  return actOf(code, at, kind)
}

/** Scala's `"cmd".!`. */
function isStarted({ tokens }: Code, at: number): boolean {
  const next = tokens[at + 1]
  return next?.text === '!' || (isSign(next, '.') && tokens[at + 2]?.text.startsWith('!') === true)
}

function kindAt({ tokens, language, aliases }: Code, at: number): ActKind | null {
  const table = LOOKUP.get(language)
  const name = calledName(tokens, at, aliases)
  const last = name.slice(name.lastIndexOf('.') + 1)
  const kind = table?.get(name) ?? table?.get(`*${last}`) ?? null
  if (kind === null || HARMLESS.has(name)) return null
  const next = tokens[at + 1]
  if (isSign(next, '(')) return kind
  // `TCPSocket.new`, `IO::Socket::INET->new`.
  if (isSign(next, '.') && tokens[at + 2]?.text === 'new') return kind
  // Perl's `unlink` alone takes what the loop is at.
  if (
    language === 'perl' &&
    /^(?:run|delete)/.test(kind) &&
    (next === undefined || next.kind === 'end' || /[;}]/.test(next.text))
  )
    return kind
  // `eval { … }` and `do { … }` only group.
  if (language === 'perl' && kind === 'eval') return next?.kind === 'sign' || next?.kind === 'end' ? null : kind
  if (name === 'eval' || language === 'other' || language === 'osascript') return kind
  // Called without parentheses.
  const open = language === 'perl' || language === 'ruby' || language === 'lua' || language === 'php'
  if (open && (next?.kind === 'string' || next?.kind === 'variable' || next?.kind === 'name')) return kind
  if (language === 'node' && last === 'Command') return kind
  const before = tokens[at - 1]
  const passed = isSign(before, '(') || isSign(before, ',') || isSign(before, '.') || isSign(before, '&')
  return passed && (isSign(next, ')') || isSign(next, ',')) ? kind : null
}

/** Loads code by a name that is computed, or reaches for a function by its name. */
function dynamicLoad(code: Code, at: number): CodeAct | null {
  const { tokens, language, constants } = code
  const name = tokens[at]?.text ?? ''
  if (!isSign(tokens[at + 1], '(')) return null
  if (language === 'node' && (name === 'require' || name === 'import') && !isSign(tokens[at - 1], '.')) {
    const path = valueAt(tokens, at + 2, constants)
    return path === null || isAddress(path) ? { kind: 'eval', run: null, paths: [path] } : null
  }
  return reaches(code, at, name) ? { kind: 'eval', run: null, paths: [] } : null
}

function reaches({ tokens, language, constants }: Code, at: number, name: string): boolean {
  const argument = tokens[at + 2]
  if (language === 'python' && name === '__import__') return valueAt(tokens, at + 2, constants) === null
  if (language === 'python' && name === 'getattr') {
    const [, second] = argumentStarts(tokens, at + 1)
    return MODULES_OF_POWER.has(argument?.text ?? '') || (second !== undefined && isJoined(tokens, second))
  }
  if (language === 'php' && /^(?:array_map|array_walk|usort|array_filter)$/.test(name))
    return argument?.kind === 'string' && LOOKUP.get('php')?.has(argument.text) === true
  return false
}

const isAddress = (text: string) => /^(?:https?|ftp|data):/i.test(text)

/** Two texts put together where one would do. */
function isJoined(tokens: readonly CodeToken[], at: number): boolean {
  return tokens[at]?.kind === 'string' && isSign(tokens[at + 1], '+') && tokens[at + 2]?.kind === 'string'
}

/** What anything can be had from by its name. */
const OWNERS_OF_ALL = new Set('globalThis global window self this process require module db'.split(' '))

/** A member reached by a name that is put together, so that it cannot be found by looking for it: `x['ev' + 'al']`. */
function hidesName({ tokens, language, constants }: Code, at: number): boolean {
  if (language !== 'node') return false
  const owner = tokens[at - 1]
  if (owner === undefined || !(owner.kind === 'name' || isSign(owner, ')') || isSign(owner, ']'))) return false
  if (isJoined(tokens, at + 1)) return true
  const close = closingParenthesis(tokens, at)
  if (close === null || !isSign(tokens[close + 1], '(')) return false
  const name = valueAt(tokens, at + 1, constants)
  if (name !== null) return LOOKUP.get('node')?.has(`*${name}`) === true || LOOKUP.get('node')?.has(name) === true
  const inside = tokens.slice(at + 1, Math.min(close, at + 40))
  return inside.some(({ kind }) => kind === 'string') || OWNERS_OF_ALL.has(owner.text)
}

/** Ways to take single variables out of the environment. */
const PICKS = new Set('get fetch key? dig delete setdefault pop values_at'.split(' '))

/** The whole environment, not one variable of it. */
function isEnvironment({ tokens, language }: Code, at: number): boolean {
  const name = tokens[at]?.text
  if (tokens[at]?.kind === 'variable')
    return (
      (language === 'php' && name === '_ENV' && !isSign(tokens[at + 1], '[')) ||
      (language === 'perl' && name === 'ENV' && !isSign(tokens[at + 1], '{'))
    )
  const owner = isSign(tokens[at - 1], '.') ? tokens[at - 2]?.text : undefined
  const whole =
    (language === 'python' && name === 'environ') ||
    (language === 'node' && name === 'env' && owner === 'process') ||
    (language === 'ruby' && name === 'ENV')
  if (!whole) return false
  const next = tokens[at + 1]
  if (isSign(next, '[')) return false
  if (!isSign(next, '.')) return true
  return language !== 'node' && !PICKS.has(tokens[at + 2]?.text ?? '')
}

function actOf(code: Code, at: number, kind: ActKind): CodeAct {
  const { tokens, constants } = code
  const starts = isSign(tokens[at + 1], '(') ? argumentStarts(tokens, at + 1) : openArguments(tokens, at + 1)
  if (kind === 'run') return { kind, run: readRun(tokens, starts, constants, code.language), paths: [] }
  if (kind === 'eval') return literalInclude(code, at, starts) ?? { kind, run: null, paths: [] }
  if (kind === 'fetch' || kind === 'send' || kind === 'connect') return { kind, run: null, paths: [] }
  const texts = starts.map((start) => valueAt(tokens, start, constants))
  if (kind === 'query') return { kind, run: null, paths: [], ...(texts[0] == null ? {} : { sql: texts[0] }) }
  const address = tokens[starts[0] ?? -1]
  if (kind !== 'write' && address?.kind === 'string' && isAddress(address.text))
    return { kind: 'fetch', run: null, paths: [] }
  if (kind === 'open') return openAct(texts, starts.length)
  const owner =
    code.language === 'python' && isSign(tokens[at - 1], '.') && !MODULES_OF_POWER.has(tokens[at - 2]?.text ?? '')
  const own =
    owner &&
    /^(?:unlink|rmdir|write_text|write_bytes|read_text|read_bytes|touch|mkdir|chmod)$/.test(tokens[at]?.text ?? '')
  if (own) return { kind, run: null, paths: [ownerValue(tokens, at - 1, constants)] }
  if (kind === 'move' || kind === 'copy') return { kind, run: null, paths: [texts[0] ?? null, texts[1] ?? null] }
  if (texts[0] != null && /^https?:/i.test(texts[0])) return { kind: 'fetch', run: null, paths: [] }
  return { kind: deleteKind(code, at, kind), run: null, paths: [texts[0] ?? null] }
}

/** In JavaScript an option says whether a folder goes with all that is in it. */
function deleteKind({ tokens, language }: Code, at: number, kind: ActKind): ActKind {
  if (language !== 'node' || !kind.startsWith('delete') || /^(?:rimraf|empty)/.test(tokens[at]?.text ?? '')) return kind
  const close = closingParenthesis(tokens, at + 1) ?? at
  const inside = tokens.slice(at, Math.min(close, at + 40))
  return inside.some(({ kind: sort, text }) => sort === 'name' && text === 'recursive') ? 'delete-all' : 'delete'
}

/** PHP's `include 'file'` of a file that is named. */
function literalInclude({ tokens, language, constants }: Code, at: number, starts: readonly number[]): CodeAct | null {
  if (language !== 'php' || !/^(?:include|require)/.test(tokens[at]?.text ?? '')) return null
  const path = starts[0] === undefined ? null : valueAt(tokens, starts[0], constants)
  if (path !== null && isAddress(path)) return { kind: 'eval', run: null, paths: [path] }
  return path === null || /^[a-z]+:/i.test(path) ? null : { kind: 'read', run: null, paths: [path] }
}

const isMode = (text: string) => /^[rwaxbt+]{1,4}$/.test(text)

/** `open(path, mode)`; Perl has the handle first and joins mode and path: `open(F, ">out")`. */
function openAct(texts: readonly (string | null)[], count: number): CodeAct {
  const signs = texts.find((text) => text !== null && /^\s*(?:\+?[<>|]|-\||\|-)/.test(text))
  if (signs != null) {
    if (signs.includes('|')) return { kind: 'run', run: null, paths: [] }
    const at = texts.indexOf(signs)
    const path = signs.replace(/^[\s+<>]+(?::[\w:()-]+)?/, '') || (texts[at + 1] ?? null)
    return { kind: signs.includes('>') ? 'write' : 'read', run: null, paths: [path] }
  }
  if (texts.some((text) => text !== null && /\|\s*$/.test(text))) return { kind: 'run', run: null, paths: [] }
  if (texts[0] != null && /^(?:https?|ftp):/i.test(texts[0])) return { kind: 'fetch', run: null, paths: [] }
  const mode = texts.slice(1).find((text) => text !== null && isMode(text))
  const unclear = count > 1 && texts[1] === null && mode === undefined
  const writes = mode == null ? false : /[wax+]/.test(mode)
  return {
    kind: writes ? 'write' : 'read',
    run: null,
    paths: [unclear && texts[0] === undefined ? null : (texts[0] ?? null)],
  }
}

/** The arguments of a call without parentheses. */
function openArguments(tokens: readonly CodeToken[], from: number): readonly number[] {
  const starts: number[] = []
  for (let at = from; at < tokens.length && at < from + 100; at++) {
    const token = tokens[at]
    if (token === undefined || token.kind === 'end' || (token.kind === 'sign' && /[;})]/.test(token.text))) break
    if (at === from || isSign(tokens[at - 1], ',')) starts.push(at)
  }
  return starts
}

function isSign(token: CodeToken | undefined, text: string): boolean {
  return token?.kind === 'sign' && token.text === text
}
