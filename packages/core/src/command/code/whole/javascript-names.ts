import { type ScriptToken, UnclearCode } from './javascript-tokens.ts'

const OPENS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '`(': '`)' }
const CLOSES = new Set(Object.values(OPENS))
/** Nested patterns are read once per level. */
const MAX_STEPS = 1_000_000
const DECLARES = new Set(['const', 'let', 'var'])
const CONTROLS = new Set(['if', 'while', 'for', 'switch', 'with'])

/** The tokens of a script with the partner of every bracket, and the names that it declares. */
export interface Script {
  readonly tokens: readonly ScriptToken[]
  /** By the index of a bracket, that of its partner. */
  readonly partner: ReadonlyMap<number, number>
  /** How often each name is declared, as a variable, parameter, function or class; at least so often. */
  readonly declared: ReadonlyMap<string, number>
  /** Names that are assigned after their declaration. */
  readonly assigned: ReadonlySet<string>
  /** Names in patterns that are assigned: `[a, b] = …`. */
  readonly patterned: ReadonlySet<string>
  /** By the index of a token, that of the bracket around it. */
  readonly around: readonly (number | undefined)[]
}

export function readScript(tokens: readonly ScriptToken[]): Script {
  const { partner, around } = partners(tokens)
  const patterned = new Set<string>()
  const declared = new Map<string, number>()
  const assigned = new Set<string>()
  let left = MAX_STEPS
  const spend = (steps: number) => {
    left -= steps
    if (left < 0) throw new UnclearCode('is nested too deeply')
  }
  const declare = (from: number, to: number) => {
    spend(to - from)
    for (let at = from; at < to; at++) {
      const token = tokens[at]
      if (token?.kind === 'name') declared.set(token.text, (declared.get(token.text) ?? 0) + 1)
    }
  }
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'name' && !isMember(tokens, at)) {
      if (DECLARES.has(token.text)) declareVariables(tokens, partner, at + 1, declare)
      else if (token.text === 'import') declareImports(tokens, at + 1, declare)
      else if (token.text === 'function') declareFunction(tokens, at + 1, declare)
      else if (token.text === 'class') declare(at + 1, at + 2)
      else if (tokens[at + 1]?.text === '=>') declare(at, at + 1)
      if (isAssigned({ tokens, partner, around }, at)) assigned.add(token.text)
    }
    if (token.text === '(' && token.kind === 'sign' && isParameters(tokens, partner, at))
      declare(at + 1, partner.get(at) ?? at)
    // `[a, b] = …` and `({ a } = …)` assign, wherever they are written.
    if (token.kind === 'sign' && (token.text === '[' || token.text === '{')) {
      const after = tokens[(partner.get(at) ?? at) + 1]
      if (after !== undefined && after.kind !== 'string' && /^(?:=|of|in)$/.test(after.text)) {
        spend((partner.get(at) ?? at) - at)
        for (const one of tokens.slice(at + 1, partner.get(at))) if (one.kind === 'name') patterned.add(one.text)
      }
    }
  }
  return { tokens, partner, declared, assigned, patterned, around }
}

function partners(tokens: readonly ScriptToken[]): Pick<Script, 'partner' | 'around'> {
  const partner = new Map<number, number>()
  const around: (number | undefined)[] = []
  const open: number[] = []
  for (const [at, { kind, text, line }] of tokens.entries()) {
    around.push(open.at(-1))
    if (kind !== 'sign') continue
    if (OPENS[text] !== undefined) open.push(at)
    else if (CLOSES.has(text)) {
      const from = open.pop()
      if (from === undefined || OPENS[tokens[from]?.text ?? ''] !== text)
        throw new UnclearCode(`line ${line} has an unexpected bracket`)
      partner.set(from, at)
      partner.set(at, from)
    }
  }
  if (open.length > 0) throw new UnclearCode('has an open bracket')
  return { partner, around }
}

/** Whether a name follows a dot. */
export function isMember(tokens: readonly ScriptToken[], at: number): boolean {
  const before = tokens[at - 1]
  return before?.kind === 'sign' && (before.text === '.' || before.text === '?.')
}

const ASSIGNS = /^(?:=|\+\+|--|(?:[-+*/%&|^]|\*\*|<<|>>>?|&&|\|\||\?\?)=)$/

/** Whether the expression that ends before `at` is assigned. */
export function isAssignment(token: ScriptToken | undefined): boolean {
  return token?.kind === 'sign' && ASSIGNS.test(token.text)
}

/** Deeper than this a name counts as assigned. */
const MAX_DEPTH = 200
/** Words that a pattern may follow. */
const BEFORE_PATTERN =
  /^(?:const|let|var|else|do|of|in|return|yield|await|case|default|new|delete|void|throw|typeof|extends|async|get|set|static|finally|try)$/

/** The tokens of a script with their brackets, as far as they are needed to find what is assigned. */
type Bracketed = Pick<Script, 'tokens' | 'partner' | 'around'>

/**
 * Whether the expression between two tokens may be assigned: `a = 1`, `(a) = 1`, `a++`, `for (a of b)`, `[a] = b`,
 * `({ b: a } = c)`. SECURITY: too many is harmless, one too few is a value that nobody saw.
 */
export function isTarget(script: Bracketed, from: number, to: number): boolean {
  if (isAssignedAround(script, from, to)) return true
  const { tokens, partner, around } = script
  let depth = 0
  for (let open = around[from]; open !== undefined; open = around[open]) {
    if (++depth > MAX_DEPTH) return true
    // `a[b] = c` does not assign `b`.
    const before = tokens[open - 1]
    const isIndex = tokens[open]?.text === '[' && before?.kind === 'name' && !BEFORE_PATTERN.test(before.text)
    const isPattern = /^[[{]$/.test(tokens[open]?.text ?? '') && !isIndex
    if (isPattern && isAssignedAround(script, open, partner.get(open) ?? open)) return true
  }
  return false
}

function isAssignedAround({ tokens, partner }: Bracketed, from: number, to: number): boolean {
  let [before, after] = [from - 1, to + 1]
  while (tokens[before]?.text === '(' && partner.get(before) === after) {
    before--
    after++
  }
  const [first, last] = [tokens[before], tokens[after]]
  if (first?.kind === 'sign' && /^(?:\+\+|--)$/.test(first.text)) return true
  if (first?.kind === 'name' && first.text === 'delete') return true
  return isAssignment(last) || (last?.kind === 'name' && /^(?:of|in)$/.test(last.text))
}

function isAssigned(script: Bracketed, at: number): boolean {
  const before = script.tokens[at - 1]
  if (before?.kind === 'name' && DECLARES.has(before.text)) return false
  return isAssignedAround(script, at, at)
}

/** Whether code at a token is in the block that another token is in, so that it sees what is declared there. */
export function isWithin({ around }: Pick<Script, 'around'>, at: number, declared: number): boolean {
  const block = around[declared]
  if (block === undefined) return true
  for (let open = around[at]; open !== undefined; open = around[open]) if (open === block) return true
  return false
}

type Declare = (from: number, to: number) => void

/** Every name in the patterns of `const a = 1, { b } = c`. The code between them may count as well. */
function declareVariables(
  tokens: readonly ScriptToken[],
  partner: ReadonlyMap<number, number>,
  from: number,
  declare: Declare,
): void {
  let at = from
  for (;;) {
    const end = (partner.get(at) ?? at) + 1
    declare(at, end)
    // The value, up to the next comma of the same depth.
    for (at = end; at < tokens.length; at = (isOpen(tokens[at]) ? (partner.get(at) ?? at) : at) + 1) {
      const token = tokens[at]
      if (token === undefined || (token.kind === 'sign' && (CLOSES.has(token.text) || token.text === ';'))) return
      if (token.kind === 'sign' && token.text === ',') break
      if (token.kind === 'name' && (DECLARES.has(token.text) || token.text === 'of' || token.text === 'in')) return
    }
    if (at >= tokens.length) return
    at++
  }
}

function isOpen(token: ScriptToken | undefined): boolean {
  return token?.kind === 'sign' && OPENS[token.text] !== undefined
}

function declareImports(tokens: readonly ScriptToken[], from: number, declare: Declare): void {
  if (tokens[from]?.text === '(' || tokens[from]?.text === '.') return
  let to = from
  while (to < tokens.length && tokens[to]?.kind !== 'string') to++
  for (let at = from; at < to; at++) if (!/^(?:as|from|default)$/.test(tokens[at]?.text ?? '')) declare(at, at + 1)
}

function declareFunction(tokens: readonly ScriptToken[], from: number, declare: Declare): void {
  const at = tokens[from]?.text === '*' ? from + 1 : from
  declare(at, at + 1)
}

/** Whether a parenthesis holds parameters: of a function, a method, an arrow function or `catch`. */
function isParameters(tokens: readonly ScriptToken[], partner: ReadonlyMap<number, number>, open: number): boolean {
  const after = tokens[(partner.get(open) ?? open) + 1]
  const before = tokens[open - 1]
  if (after?.text === '=>') return true
  if (after?.kind !== 'sign' || after.text !== '{') return false
  return !(before?.kind === 'name' && CONTROLS.has(before.text) && !isMember(tokens, open - 1))
}

const BEFORE_METHOD = /^(?:[{},;*]|async|get|set|static)$/

/** `name(…) {`: a method. A call in this place can't be followed by a brace on the same line. */
export function isMethod({ tokens, partner }: Script, at: number): boolean {
  const before = tokens[at - 1]
  if (before === undefined || before.kind === 'string' || !BEFORE_METHOD.test(before.text)) return false
  if (tokens[at + 1]?.kind !== 'sign' || tokens[at + 1]?.text !== '(') return false
  const after = tokens[(partner.get(at + 1) ?? at) + 1]
  return after?.kind === 'sign' && after.text === '{' && !after.starts
}
