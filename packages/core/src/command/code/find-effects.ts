import { type CallEffect, type Language, shellKnowledge } from '../../knowledge/shell.ts'
import { awkEffects } from './awk.ts'
import {
  argumentStarts,
  type Constants,
  closingParenthesis,
  constantsOf,
  ownerValue,
  valueAt,
} from './constant-values.ts'
import { type Aliases, aliasesOf, calledName } from './import-aliases.ts'
import { isLooseReference } from './loose-references.ts'
import { type RunCommand, readRun } from './spawned-command.ts'
import { type CodeToken, codeTokens } from './tokenizer.ts'

/** How much code is read. Longer code, or more effects, count as the worst. */
const INLINE = { length: 16 * 1024, effects: 64 }
/** For files of a project. */
export const FILE_CODE = { length: 256 * 1024, effects: 512 }

/** One effect of inline code on the world. */
export interface CodeEffect {
  readonly kind: CallEffect | 'environment'
  /** Of `run`: what is started; null when it is computed. */
  readonly run: RunCommand | null
  /** Paths in the order of the call; null for a computed one. */
  readonly paths: readonly (string | null)[]
  /** Of `write`: a folder is created. */
  readonly folder?: true
  /** Of `query`: the SQL, when it is literal. */
  readonly sql?: string
}

const REACHES: CodeEffect = { kind: 'reach', run: null, paths: [] }

const tables = new Map<Language, ReadonlyMap<string, CallEffect>>()

/** Effects of calls by name, or by `*` and the last part of a name. */
function callTable(language: Language): ReadonlyMap<string, CallEffect> {
  const known = tables.get(language)
  if (known !== undefined) return known
  const built = new Map<string, CallEffect>()
  for (const [effect, names] of Object.entries(shellKnowledge().calls[language]) as [CallEffect, readonly string[]][])
    for (const name of names) built.set(name, effect)
  tables.set(language, built)
  return built
}

/** Harmless names that match an entry. */
const HARMLESS = new Set(['platform.system', 're.compile', 'os.path.join'])
/** Ways to reach a function without its name. */
const REFLECTION = new Set(['__dict__', '__builtins__', '__subclasses__', '__globals__', '__mro__', '__code__'])
const POWERFUL_MODULES = new Set(['os', 'subprocess', 'shutil', 'builtins', '__builtins__', 'sys'])

let last: { readonly text: string; readonly language: Language; readonly effects: readonly CodeEffect[] } | null = null

/** The effects of inline code on files, programs and the network, as far as its calls show. Linear in its length. */
export function codeEffects(text: string, language: Language, limits = INLINE): readonly CodeEffect[] {
  // One rating asks three times for the same code: what it runs, its paths, its level.
  if (last === null || last.text !== text || last.language !== language)
    last = { text, language, effects: readEffects(text, language, limits) }
  return last.effects
}

function readEffects(text: string, language: Language, limits: typeof INLINE): readonly CodeEffect[] {
  if (text.length > limits.length) return [{ kind: 'eval', run: null, paths: [] }]
  if (language === 'awk') return awkEffects(codeTokens(text, 'awk'))
  const tokens = codeTokens(text, language)
  const code: Code = { tokens, language, constants: constantsOf(tokens), aliases: aliasesOf(tokens) }
  const effects: CodeEffect[] = []
  for (let at = 0; at < tokens.length; at++) {
    if (effects.length >= limits.effects) return [...effects, { kind: 'eval', run: null, paths: [] }]
    const effect = effectAt(code, at)
    if (effect !== null) effects.push(effect)
  }
  return hidesPower(code, effects) ? [...effects, { kind: 'eval', run: null, paths: [] }] : effects
}

/** Loads a powerful module without a visible use: `require('child_process')['exec' + x]`. */
function hidesPower({ tokens, language }: Code, effects: readonly CodeEffect[]): boolean {
  if (language === 'node')
    return (
      !effects.some(({ kind }) => kind === 'run' || kind === 'eval') &&
      tokens.some(({ kind, text }) => kind === 'string' && /^(?:node:)?child_process$/.test(text))
    )
  if (language !== 'python') return false
  return tokens.some(({ kind, text }) => kind === 'name' && REFLECTION.has(text))
}

interface Code {
  readonly tokens: readonly CodeToken[]
  readonly language: Language
  readonly constants: Constants
  readonly aliases: Aliases
}

function effectAt(code: Code, at: number): CodeEffect | null {
  const token = code.tokens[at]
  if (token === undefined) return null
  const loose = isLooseReference(code.tokens, at, code.language, code.aliases, callTable(code.language))
  if (isSign(token, '[') && hidesName(code, at)) return { kind: 'eval', run: null, paths: [] }
  if (token.kind === 'variable' && isEnvironment(code, at)) return { kind: 'environment', run: null, paths: [] }
  if (token.kind === 'shell')
    return { kind: 'run', run: { kind: 'shell', text: token.text, known: !token.dynamic }, paths: [] }
  if (token.kind === 'string' && code.language === 'other' && isStarted(code, at))
    return { kind: 'run', run: { kind: 'shell', text: token.text, known: !token.dynamic }, paths: [] }
  if (token.kind !== 'name') return loose ? REACHES : null
  if (isEnvironment(code, at)) return { kind: 'environment', run: null, paths: [] }
  const kind = kindAt(code, at)
  if (kind === null) return dynamicLoad(code, at) ?? (loose ? REACHES : null)
  return effectOf(code, at, kind)
}

/** Scala's `"cmd".!`. */
function isStarted({ tokens }: Code, at: number): boolean {
  const next = tokens[at + 1]
  return next?.text === '!' || (isSign(next, '.') && tokens[at + 2]?.text.startsWith('!') === true)
}

function kindAt({ tokens, language, aliases }: Code, at: number): CallEffect | null {
  const table = callTable(language)
  const name = calledName(tokens, at, aliases)
  const last = name.slice(name.lastIndexOf('.') + 1)
  const kind = table.get(name) ?? table.get(`*${last}`) ?? null
  if (kind === null || HARMLESS.has(name)) return null
  const next = tokens[at + 1]
  if (isSign(next, '(')) return kind
  // `TCPSocket.new`, `IO::Socket::INET->new`.
  if (isSign(next, '.') && tokens[at + 2]?.text === 'new') return kind
  // Perl's `unlink` without arguments takes the loop variable.
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

/** Loads code by a computed name, or looks up a function by its name. */
function dynamicLoad(code: Code, at: number): CodeEffect | null {
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
    return POWERFUL_MODULES.has(argument?.text ?? '') || (second !== undefined && isJoined(tokens, second))
  }
  if (language === 'php' && /^(?:array_map|array_walk|usort|array_filter)$/.test(name))
    return argument?.kind === 'string' && callTable('php').has(argument.text)
  return false
}

const isAddress = (text: string) => /^(?:https?|ftp|data):/i.test(text)

/** Two literal strings that are concatenated for no reason. */
function isJoined(tokens: readonly CodeToken[], at: number): boolean {
  return tokens[at]?.kind === 'string' && isSign(tokens[at + 1], '+') && tokens[at + 2]?.kind === 'string'
}

/** Objects from which anything can be reached by name. */
const GLOBAL_OBJECTS = new Set(['globalThis', 'global', 'window', 'self', 'this', 'process', 'require', 'module', 'db'])

/** A member with a concatenated name, which no search finds: `x['ev' + 'al']`. */
function hidesName({ tokens, language, constants }: Code, at: number): boolean {
  if (language !== 'node') return false
  const owner = tokens[at - 1]
  if (owner === undefined || !(owner.kind === 'name' || isSign(owner, ')') || isSign(owner, ']'))) return false
  if (isJoined(tokens, at + 1)) return true
  const close = closingParenthesis(tokens, at)
  if (close === null || !isSign(tokens[close + 1], '(')) return false
  const name = valueAt(tokens, at + 1, constants)
  if (name !== null) return callTable('node').has(`*${name}`) || callTable('node').has(name)
  const inside = tokens.slice(at + 1, Math.min(close, at + 40))
  return inside.some(({ kind }) => kind === 'string') || GLOBAL_OBJECTS.has(owner.text)
}

/** Methods that read single variables. */
const READS_ONE = new Set(['get', 'fetch', 'key?', 'dig', 'delete', 'setdefault', 'pop', 'values_at'])

/** The whole environment, not a single variable. */
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
  return language !== 'node' && !READS_ONE.has(tokens[at + 2]?.text ?? '')
}

function effectOf(code: Code, at: number, kind: CallEffect): CodeEffect {
  const { tokens, constants } = code
  const starts = isSign(tokens[at + 1], '(') ? argumentStarts(tokens, at + 1) : openArguments(tokens, at + 1)
  if (kind === 'run') return { kind, run: readRun(tokens, starts, constants, code.language), paths: [] }
  if (kind === 'reach') return REACHES
  if (kind === 'eval') return literalInclude(code, at, starts) ?? { kind, run: null, paths: [] }
  if (kind === 'fetch' || kind === 'send' || kind === 'connect') return { kind, run: null, paths: [] }
  const texts = starts.map((start) => valueAt(tokens, start, constants))
  if (kind === 'query') return { kind, run: null, paths: [], ...(texts[0] == null ? {} : { sql: texts[0] }) }
  const address = tokens[starts[0] ?? -1]
  if (kind !== 'write' && address?.kind === 'string' && isAddress(address.text))
    return { kind: 'fetch', run: null, paths: [] }
  if (kind === 'open') return openEffect(texts, starts.length)
  const owner =
    code.language === 'python' && isSign(tokens[at - 1], '.') && !POWERFUL_MODULES.has(tokens[at - 2]?.text ?? '')
  const own =
    owner &&
    /^(?:unlink|rmdir|write_text|write_bytes|read_text|read_bytes|touch|mkdir|chmod)$/.test(tokens[at]?.text ?? '')
  if (own) return { kind, run: null, paths: [ownerValue(tokens, at - 1, constants)] }
  if (kind === 'move' || kind === 'copy') return { kind, run: null, paths: [texts[0] ?? null, texts[1] ?? null] }
  if (texts[0] != null && /^https?:/i.test(texts[0])) return { kind: 'fetch', run: null, paths: [] }
  return { kind: deleteKind(code, at, kind), run: null, paths: [texts[0] ?? null] }
}

/** In JavaScript an option tells whether a folder is deleted with its content. */
function deleteKind({ tokens, language }: Code, at: number, kind: CallEffect): CallEffect {
  if (language !== 'node' || !kind.startsWith('delete') || /^(?:rimraf|empty)/.test(tokens[at]?.text ?? '')) return kind
  const close = closingParenthesis(tokens, at + 1) ?? at
  const inside = tokens.slice(at, Math.min(close, at + 40))
  return inside.some(({ kind: sort, text }) => sort === 'name' && text === 'recursive') ? 'delete-all' : 'delete'
}

/** PHP's `include 'file'` with a literal name. */
function literalInclude(
  { tokens, language, constants }: Code,
  at: number,
  starts: readonly number[],
): CodeEffect | null {
  if (language !== 'php' || !/^(?:include|require)/.test(tokens[at]?.text ?? '')) return null
  const path = starts[0] === undefined ? null : valueAt(tokens, starts[0], constants)
  if (path !== null && isAddress(path)) return { kind: 'eval', run: null, paths: [path] }
  return path === null || /^[a-z]+:/i.test(path) ? null : { kind: 'read', run: null, paths: [path] }
}

const isMode = (text: string) => /^[rwaxbt+]{1,4}$/.test(text)

/** `open(path, mode)`; Perl has the handle first and joins mode and path: `open(F, ">out")`. */
function openEffect(texts: readonly (string | null)[], count: number): CodeEffect {
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
