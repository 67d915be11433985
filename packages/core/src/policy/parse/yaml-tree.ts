import {
  CST,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  type YAMLMap,
} from 'yaml'
import type { Json } from '../../call/json/json.ts'
import { quote } from '../model/policy-problem.ts'

/** A path into a document: keys and indexes. */
export type TreePath = readonly (string | number)[]

export interface TreeProblem {
  readonly kind: 'too-large' | 'syntax' | 'invalid'
  readonly offset: number
  readonly message: string
}

/** A YAML document as plain data, with the offsets of its values. */
export interface YamlTree {
  readonly value: Json
  /** Offset of the value at a path, or of its nearest existing ancestor. */
  offsetOf(path: TreePath): number
  /** Offset of the last key of a path. */
  offsetOfKey(path: TreePath): number
}

export type ReadYaml =
  /** These `problems` leave the tree readable, so that others can be reported too. */
  | { readonly kind: 'tree'; readonly tree: YamlTree; readonly problems: readonly TreeProblem[] }
  | { readonly kind: 'refused'; readonly problems: readonly TreeProblem[] }

/** Reads YAML 1.2 (core schema) strictly into plain data, or reports every problem. */
export function readYaml(text: string): ReadYaml {
  const scanned = scanYaml(text)
  if (scanned !== null) return { kind: 'refused', problems: [scanned] }
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    strict: true,
    merge: false,
    resolveKnownTags: false,
    prettyErrors: false,
    // Not `silent`: that would also silence the error about a second document.
    logLevel: 'error',
    // The library compares every pair of keys, which takes seconds on a hostile file; `takeMap` uses a set.
    uniqueKeys: false,
  })
  const faults = [...document.errors, ...document.warnings]
  if (faults.length > 0) return { kind: 'refused', problems: faults.map(syntaxProblem) }
  if (document.contents === null)
    return {
      kind: 'refused',
      problems: [{ kind: 'invalid', offset: 0, message: 'the file is empty; write at least `version: 1`' }],
    }
  const problems: TreeProblem[] = []
  const value = takeNode(document.contents, { depth: 1, inArgs: false }, problems)
  if (problems.some(({ kind }) => kind !== 'invalid')) return { kind: 'refused', problems }
  return { kind: 'tree', tree: treeOf(value, document.contents), problems }
}

function syntaxProblem(fault: {
  readonly code: string
  readonly message: string
  readonly pos: readonly [number, number]
}): TreeProblem {
  const hint = SYNTAX_HINTS[fault.code]
  // An escape sequence at its end is the text of the file, which may look like the end of a sentence.
  const message = (fault.message.split('\n', 1)[0] ?? 'not valid YAML').replace(/ (\\\S*)$/, ' `$1`')
  return {
    kind: 'syntax',
    offset: fault.pos[0],
    message: hint ?? `not valid YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}`,
  }
}

const SYNTAX_HINTS: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'tabs cannot indent; use spaces',
  MULTIPLE_DOCS: 'a policy file is one document; remove `---` and what follows',
  BAD_SCALAR_START: 'this text needs quotes: it starts with a reserved character',
}

function treeOf(value: Json, root: Node): YamlTree {
  const pairs = new Map<YAMLMap, ReadonlyMap<string, Pair>>()
  const pairOf = (map: YAMLMap, key: string): Pair | null => {
    const known = pairs.get(map) ?? new Map(map.items.map((pair) => [keyText(pair) ?? '', pair]))
    pairs.set(map, known)
    return known.get(key) ?? null
  }
  const descend = (path: TreePath): { readonly node: Node; readonly pair: Pair | null; readonly depth: number } => {
    let node: Node = root
    let pair: Pair | null = null
    for (const [depth, step] of path.entries()) {
      const nextPair: Pair | null = isMap(node) ? pairOf(node, String(step)) : null
      const next = isSeq(node) ? node.items[Number(step)] : nextPair?.value
      if (next === undefined || next === null) return { node, pair, depth }
      node = next as Node
      pair = nextPair
    }
    return { node, pair, depth: path.length }
  }
  return {
    value,
    offsetOf: (path) => startOf(descend(path).node),
    offsetOfKey: (path) => {
      const found = descend(path)
      return found.pair !== null && found.depth === path.length ? startOf(found.pair.key as Node) : startOf(found.node)
    },
  }
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0
}

function keyText(pair: Pair): string | null {
  return isScalar(pair.key) && typeof pair.key.value === 'string' ? pair.key.value : null
}

/** The depth of a node, and whether it is inside `args`, where values may have any type. */
interface NodeContext {
  readonly depth: number
  readonly inArgs: boolean
}

function takeNode(node: unknown, context: NodeContext, problems: TreeProblem[]): Json {
  if (isScalar(node)) return takeScalar(node, context, problems)
  if (isMap(node) || isSeq(node)) {
    if (context.depth > MOST_DEPTH) {
      problems.push({ kind: 'too-large', offset: startOf(node), message: `nested deeper than ${MOST_DEPTH} levels` })
      return null
    }
    const inner = { ...context, depth: context.depth + 1 }
    return isMap(node) ? takeMap(node, inner, problems) : node.items.map((item) => takeNode(item, inner, problems))
  }
  return null
}

function takeMap(map: YAMLMap, inner: NodeContext, problems: TreeProblem[]): Json {
  const taken: Record<string, Json> = Object.create(null)
  const seen = new Set<string>()
  for (const pair of map.items) {
    const key = keyText(pair)
    const offset = startOf(pair.key as Node)
    const refuse = (message: string): void => void problems.push({ kind: 'invalid', offset, message })
    if (key === null) refuse('a key must be text; put it in quotes')
    // SECURITY: A26, these keys could reach a prototype later.
    else if (key === '__proto__' || key === 'constructor' || key === 'prototype')
      refuse(`${quote(key)} cannot be a key`)
    else if (key === '<<') refuse('merge keys (`<<`) are not part of the policy language; write the keys out')
    else if (seen.has(key)) refuse(`${quote(key)} is written twice; keep one`)
    else {
      seen.add(key)
      taken[key] = takeNode(pair.value, key === 'args' ? { ...inner, inArgs: true } : inner, problems)
    }
  }
  return taken
}

/** Refuses values that YAML readers interpret differently. */
function takeScalar(scalar: Scalar, { inArgs }: NodeContext, problems: TreeProblem[]): Json {
  const { value } = scalar
  const message = scalarProblem(scalar, inArgs)
  if (message !== null) problems.push({ kind: 'invalid', offset: startOf(scalar), message })
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

function scalarProblem({ value, type, source = '' }: Scalar, inArgs: boolean): string | null {
  if (value === null || typeof value === 'boolean') return null
  if (typeof value === 'string') {
    if (!inArgs || type !== 'PLAIN' || !/^(yes|no|on|off)$/i.test(value)) return null
    return `${quote(value)} is text here but a boolean in other YAML parsers; write true or false, or put it in quotes`
  }
  if (typeof value !== 'number') return 'a policy can’t contain this kind of value; put it in quotes'
  if (/^[-+]?0[0-9]/.test(source))
    return `${quote(source)} is ${value} in some YAML parsers and octal in others; write ${value}, or put it in quotes`
  if (/^0[ox]/.test(source)) return `write ${quote(source)} in decimal, or put it in quotes`
  if (!Number.isFinite(value))
    return `${quote(source)} is not a number that a call can contain; put it in quotes if it is text`
  return Math.abs(value) > Number.MAX_SAFE_INTEGER
    ? `${quote(source)} is too large to be exact; put it in quotes if it is text`
    : null
}

const MOST_BYTES = 256 * 1024
const MOST_TOKENS = 100_000
/** Maximum depth, checked exactly on the tree. */
export const MOST_DEPTH = 32
/** The scan counts up to three levels for each real one. */
const MOST_SCANNED_DEPTH = MOST_DEPTH * 3

/** A problem found before parsing. */
interface ScanProblem {
  readonly kind: 'too-large' | 'syntax'
  readonly offset: number
  readonly message: string
}

/**
 * Scans a policy file token by token before parsing, so that a file made to exhaust the parser costs one linear pass.
 * SECURITY: A24. Returns null if the file can be parsed.
 */
export function scanYaml(text: string): ScanProblem | null {
  if (text.length > MOST_BYTES || new TextEncoder().encode(text).length > MOST_BYTES)
    return { kind: 'too-large', offset: 0, message: 'the file is larger than 256 KiB; split it into several files' }
  return scanCharacters(text) ?? scanTokens(text)
}

/** Refuses invisible characters: a zero-width character in a name would make a deny that never matches. */
function scanCharacters(text: string): ScanProblem | null {
  const found = /\r(?!\n)|[^\P{Cc}\t\n\r]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|[^\P{Zs} ]/u.exec(text)
  if (found === null) return null
  const point = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return {
    kind: 'syntax',
    offset: found.index,
    message: `invisible character U+${point}; remove it, or write it as an escape in double quotes`,
  }
}

function scanTokens(text: string): ScanProblem | null {
  let offset = 0
  let lineStart = 0
  let tokens = 0
  let flows = 0
  const blocks: number[] = []
  for (const source of new Lexer().lex(text)) {
    const type = CST.tokenType(source)
    const refused = type === null ? undefined : REFUSED[type]
    if (refused !== undefined) return { kind: 'syntax', offset, message: refused }
    if (type === 'flow-seq-start' || type === 'flow-map-start') flows += 1
    else if (type === 'flow-seq-end' || type === 'flow-map-end') flows -= 1
    else if (flows <= 0 && type !== null && OPENS_BLOCK.has(type)) {
      const column = offset - lineStart
      while ((blocks.at(-1) ?? -1) >= column) blocks.pop()
      blocks.push(column)
    }
    tokens += 1
    if (blocks.length + flows > MOST_SCANNED_DEPTH)
      return { kind: 'too-large', offset, message: `nested deeper than ${MOST_DEPTH} levels` }
    if (tokens > MOST_TOKENS)
      return { kind: 'too-large', offset, message: 'the file has too many parts; split it into several files' }
    if (WIDTHLESS.has(source)) continue
    offset += source.length
    const newline = source.lastIndexOf('\n')
    if (newline !== -1) lineStart = offset - (source.length - newline - 1)
  }
  return null
}

/** Markers the lexer inserts between tokens. They represent no text. */
const WIDTHLESS: ReadonlySet<string> = new Set(['\u0002', '\u0018', '\u001f'])

const OPENS_BLOCK: ReadonlySet<string> = new Set(['seq-item-ind', 'explicit-key-ind', 'map-value-ind', 'scalar'])

const REFUSED: Readonly<Record<string, string>> = {
  anchor: 'anchors (`&name`) are not part of the policy language; write the value out',
  alias: 'aliases (`*name`) are not part of the policy language; put a text that starts with `*` in quotes',
  tag: 'tags (`!name`) are not part of the policy language; put a text that starts with `!` in quotes',
  'directive-line': 'directives (`%…`) are not part of the policy language',
  'doc-end': 'a policy file is one document; remove `...`',
}
