import { isWithin, type Script } from './javascript-names.ts'
import type { ScriptToken } from './javascript-tokens.ts'

/** What constants stand for: a module or a member of it. */
export type Aliases = ReadonlyMap<string, string>

const MAX_DEPTH = 4

/** The arguments of a call as ranges of tokens, from its open parenthesis. */
export function argumentRanges({ tokens, partner }: Script, open: number): readonly (readonly [number, number])[] {
  const close = partner.get(open) ?? open
  const ranges: [number, number][] = []
  let from = open + 1
  for (let at = from; at <= close; at++) {
    const token = tokens[at]
    const inner = partner.get(at)
    if (at === close || (token?.kind === 'sign' && token.text === ',')) {
      if (at > from) ranges.push([from, at])
      from = at + 1
    } else if (inner !== undefined && inner > at) at = inner
  }
  return ranges
}

/**
 * The path that an expression names: a literal, `__dirname`, `path.join(…)` of these, or a constant with one of these.
 * Null if it is computed. `folder` is that of the file, as the working folder sees it.
 */
export function pathAt(
  script: Script,
  [from, to]: readonly [number, number],
  aliases: Aliases,
  folder: string | null,
  depth = 0,
): string | null {
  const { tokens, partner } = script
  const first = tokens[from]
  if (first === undefined || depth > MAX_DEPTH) return null
  const within = (range: readonly [number, number]) => pathAt(script, range, aliases, folder, depth + 1)
  const plus = findPlus(script, from, to)
  if (plus !== null) return joined(within([from, plus]), within([plus + 1, to]))
  if (to === from + 1) {
    if (first.kind === 'string') return first.text
    if (first.kind !== 'name') return null
    if (isPlace(script, first.text)) return folder
    const value = constantAt(script, first.text, from)
    return value === null ? null : within(value)
  }
  // `import.meta.dirname`
  if (textOf(tokens, from, to) === 'import.meta.dirname') return folder
  const open = tokens.findIndex((token, at) => at >= from && at < to && token.kind === 'sign' && token.text === '(')
  if (open === -1 || partner.get(open) !== to - 1) return null
  const called = textOf(tokens, from, open)
  const ranges = argumentRanges(script, open)
  if (called === 'new URL') {
    if (!isNeverBound(script, 'URL')) return null
    const [target, base] = ranges
    const isHere = base !== undefined && textOf(tokens, base[0], base[1]) === 'import.meta.url'
    const name = target === undefined || target[1] !== target[0] + 1 ? undefined : tokens[target[0]]
    return isHere && name?.kind === 'string' && /^\.{1,2}\/[\w./-]*$/.test(name.text) ? under(folder, name.text) : null
  }
  const name = fullName(script, called, aliases, from)
  if (name !== 'path.join' && name !== 'path.resolve') return null
  const parts = ranges.map(within)
  const known = parts.filter((part) => part !== null)
  if (known.length < parts.length || known.length === 0) return null
  // `resolve` starts again at an absolute part, `join` does not.
  if (known.slice(1).some((part) => part.startsWith('/'))) return null
  return known.join('/')
}

function under(folder: string | null, name: string): string | null {
  return folder === null ? null : `${folder}/${name}`
}

function joined(one: string | null, other: string | null): string | null {
  return one === null || other === null ? null : one + other
}

/** Whether the script gives a name of the language no other meaning. */
function isNeverBound({ declared, assigned, patterned }: Script, name: string): boolean {
  return !declared.has(name) && !assigned.has(name) && !patterned.has(name)
}

/** `__dirname`, which the script must not declare itself. */
function isPlace(script: Script, name: string): boolean {
  return name === '__dirname' && isNeverBound(script, name)
}

/** The last `+` between the terms of an expression that only adds. */
function findPlus({ tokens, partner }: Script, from: number, to: number): number | null {
  let found: number | null = null
  for (let at = from; at < to; at++) {
    const inner = partner.get(at)
    if (inner !== undefined && inner > at) at = inner
    else if (tokens[at]?.kind === 'sign' && tokens[at]?.text === '+') found = at
  }
  return found === from ? null : found
}

/** The value of `const NAME = …`, if the script declares nothing else of this name. */
function constantAt(script: Script, name: string, use: number): readonly [number, number] | null {
  const { tokens, partner, declared, assigned, patterned } = script
  // A constant that is assigned throws.
  if (declared.get(name) !== 1 || assigned.has(name) || patterned.has(name)) return null
  const at = tokens.findIndex(
    (token, index) =>
      token.kind === 'name' &&
      token.text === name &&
      tokens[index - 1]?.kind === 'name' &&
      tokens[index - 1]?.text === 'const' &&
      tokens[index + 1]?.text === '=',
  )
  // Outside its block the name is another variable.
  if (at === -1 || !isWithin(script, use, at)) return null
  for (let end = at + 2; end <= tokens.length; end++) {
    const token = tokens[end]
    const inner = partner.get(end)
    if (inner !== undefined && inner > end) end = inner
    else if (end > at + 2 && endsValue(token, tokens[end - 1])) return [at + 2, end]
  }
  return null
}

/** A semicolon, or a new line that starts a statement. */
function endsValue(token: ScriptToken | undefined, before: ScriptToken | undefined): boolean {
  if (token === undefined) return true
  if (token.kind === 'sign') return token.text === ';' || token.text === ','
  return token.starts && before !== undefined && (before.kind !== 'sign' || before.text === ')')
}

function textOf(tokens: readonly ScriptToken[], from: number, to: number): string {
  const words = tokens.slice(from, to)
  if (words.some(({ kind }) => kind !== 'name' && kind !== 'sign')) return ''
  return words.map(({ kind, text }) => (kind === 'name' && text === 'new' ? 'new ' : text)).join('')
}

/** A dotted name with its first part replaced by what it stands for, if it stands for that everywhere. */
function fullName(script: Script, name: string, aliases: Aliases, use: number): string | null {
  const { declared, tokens } = script
  const dot = name.indexOf('.')
  const root = dot === -1 ? name : name.slice(0, dot)
  const alias = aliases.get(root)
  if (alias === undefined || (declared.get(root) ?? 0) > 1) return null
  // Where it is declared only in another block, it is another variable here.
  if (declared.has(root)) {
    const first = tokens.findIndex(({ kind, text }) => kind === 'name' && text === root)
    if (!isWithin(script, use, declaredAt(script, first))) return null
  }
  return alias + (dot === -1 ? '' : name.slice(dot))
}

/** The bracket of `const { join } = …` around a name, or the name itself. */
function declaredAt({ tokens, around }: Script, at: number): number {
  const open = around[at]
  return open !== undefined &&
    tokens[open]?.text === '{' &&
    /^(?:const|let|var|import|,)$/.test(tokens[open - 1]?.text ?? '')
    ? open
    : at
}
