import { CountersignError } from '../../errors.ts'

type Token =
  | { readonly kind: 'char'; readonly code: number }
  | { readonly kind: 'set'; readonly negated: boolean; readonly ranges: readonly (readonly [number, number])[] }
  | { readonly kind: 'choice'; readonly options: readonly (readonly Token[])[] }
  | { readonly kind: 'star' | 'one' }

type Step =
  | { readonly op: 'token'; readonly token: Token }
  /** Any character except the separator, or with `across` any character. */
  | { readonly op: 'any'; readonly across: boolean }
  | { op: 'split'; to: number; or: number }
  | { op: 'jump'; to: number }
  | { readonly op: 'match' }

const SLASH = 47

/**
 * Compiles `*`, `**`, `?`, `[…]` and `{…}` into an automaton that runs in at most text × pattern steps. SECURITY: A25, user
 * text never becomes a native regular expression.
 */
export function compileGlobProgram(glob: string): (text: string) => boolean {
  const pattern = withoutRepeats(glob)
  const tokens = tokenize(pattern)
  const steps: Step[] = []
  emitSequence(tokens, steps)
  steps.push({ op: 'match' })
  const prefix = literalPrefix(tokens)
  if (prefix === pattern) return (text) => text === pattern
  const run = runner(steps)
  return (text) => text.startsWith(prefix) && run(text)
}

/** Collapses repeated `**`. */
function withoutRepeats(glob: string): string {
  const segments = glob.split('/')
  return segments.filter((segment, at) => segment !== '**' || segments[at - 1] !== '**').join('/')
}

function tokenize(pattern: string): readonly Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at]
    if (char === '*') tokens.push({ kind: 'star' })
    else if (char === '?') tokens.push({ kind: 'one' })
    else if (char === '[' || char === '{') {
      const end = pattern.indexOf(char === '[' ? ']' : '}', at + 1)
      if (end < 0) throw new CountersignError('CS_POLICY_INVALID', `\`${char}\` is never closed in \`${pattern}\``)
      const inner = pattern.slice(at + 1, end)
      if (char === '[') tokens.push(setOf(inner))
      else tokens.push({ kind: 'choice', options: inner.split(',').map(tokenize) })
      at = end
    } else {
      const code = pattern.codePointAt(at) ?? 0
      if (code > 0xffff) at += 1
      tokens.push({ kind: 'char', code })
    }
  }
  return tokens
}

function setOf(inner: string): Token {
  const negated = inner.startsWith('!')
  const codes = Array.from(negated ? inner.slice(1) : inner, (char) => char.codePointAt(0) ?? 0)
  const ranges: [number, number][] = []
  for (let at = 0; at < codes.length; at += 1) {
    const from = codes[at] ?? 0
    const to = codes[at + 1] === 45 ? codes[at + 2] : undefined
    ranges.push([from, to ?? from])
    if (to !== undefined) at += 2
  }
  return { kind: 'set', negated, ranges }
}

function isSlash(token: Token | undefined): boolean {
  return token?.kind === 'char' && token.code === SLASH
}

/** Whether there is a `**` segment at `at`. */
function isDeep(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]?.kind !== 'star' || tokens[at + 1]?.kind !== 'star') return false
  return (at === 0 || isSlash(tokens[at - 1])) && (at + 2 === tokens.length || isSlash(tokens[at + 2]))
}

function emitSequence(tokens: readonly Token[], steps: Step[]): void {
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    const separator = tokens[at + 2]
    if (token === undefined) return
    if (isSlash(token) && at + 3 === tokens.length && isDeep(tokens, at + 1)) {
      emitOptional(steps, () => {
        steps.push({ op: 'token', token })
        emitLoop(steps, true)
      })
      return
    }
    if (isDeep(tokens, at)) {
      if (separator === undefined) {
        emitLoop(steps, true)
        return
      }
      emitOptional(steps, () => {
        emitLoop(steps, true)
        steps.push({ op: 'token', token: separator })
      })
      at += 2
    } else if (token.kind === 'star') emitLoop(steps, false)
    else if (token.kind === 'one') steps.push({ op: 'any', across: false })
    else if (token.kind === 'choice') emitChoice(token.options, steps)
    else steps.push({ op: 'token', token })
  }
}

function emitChoice(options: readonly (readonly Token[])[], steps: Step[]): void {
  const exits: { op: 'jump'; to: number }[] = []
  options.forEach((option, index) => {
    const split = { op: 'split' as const, to: steps.length + 1, or: 0 }
    const exit = { op: 'jump' as const, to: 0 }
    if (index < options.length - 1) steps.push(split)
    emitSequence(option, steps)
    steps.push(exit)
    exits.push(exit)
    split.or = steps.length
  })
  for (const exit of exits) exit.to = steps.length
}

function emitLoop(steps: Step[], across: boolean): void {
  const start = steps.length
  steps.push({ op: 'split', to: start + 1, or: start + 3 }, { op: 'any', across }, { op: 'jump', to: start })
}

function emitOptional(steps: Step[], emit: () => void): void {
  const split = { op: 'split' as const, to: steps.length + 1, or: 0 }
  steps.push(split)
  emit()
  split.or = steps.length
}

function literalPrefix(tokens: readonly Token[]): string {
  let prefix = ''
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'char' || (isSlash(token) && isDeep(tokens, at + 1))) break
    prefix += String.fromCodePoint(token.code)
  }
  return prefix
}

function accepts(step: Step, code: number): boolean {
  if (step.op === 'any') return step.across || code !== SLASH
  if (step.op !== 'token') return false
  const { token } = step
  if (token.kind === 'char') return token.code === code
  if (token.kind !== 'set' || code === SLASH) return false
  return token.ranges.some(([from, to]) => code >= from && code <= to) !== token.negated
}

function runner(steps: readonly Step[]): (text: string) => boolean {
  const seen = new Int32Array(steps.length)
  const pending: number[] = []
  let stamp = 0
  const follow = (start: number, into: number[]): void => {
    pending.push(start)
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (seen[at] === stamp) continue
      seen[at] = stamp
      const step = steps[at]
      if (step?.op === 'split') pending.push(step.or, step.to)
      else if (step?.op === 'jump') pending.push(step.to)
      else into.push(at)
    }
  }
  return (text) => {
    seen.fill(0)
    stamp = 1
    let threads: number[] = []
    follow(0, threads)
    for (let index = 0; index < text.length; index += 1) {
      const code = text.codePointAt(index) ?? 0
      if (code > 0xffff) index += 1
      const next: number[] = []
      stamp += 1
      for (const at of threads) {
        const step = steps[at]
        if (step && accepts(step, code)) follow(at + 1, next)
      }
      if (next.length === 0) return false
      threads = next
    }
    return threads.includes(steps.length - 1)
  }
}
