import { JAVASCRIPT } from '../../../knowledge/compiled/runners.ts'
import { isWithin, type Script } from './javascript-names.ts'

/** Whether the tokens of `[…]` give a number, or a name that is harmless. */
export function isIndex(script: Script, from: number, to: number): boolean {
  const { tokens } = script
  const inside = tokens.slice(from, to)
  const [only] = inside
  if (only === undefined) return false
  if (inside.length === 1 && only.kind === 'string') return !JAVASCRIPT.never.has(only.text)
  // `[Symbol.iterator]`
  if (inside.length === 3 && only.text === 'Symbol' && inside[1]?.text === '.' && inside[2]?.kind === 'name')
    return !script.declared.has('Symbol')
  if (
    inside.every(
      ({ kind, text }, at) =>
        kind === 'number' || isCounter(script, kind, text, from + at) || text === '+' || text === '-',
    )
  )
    return inside.every(({ kind }) => kind !== 'string')
  return isDifference(script, from, to)
}

/** A variable that starts as a number and is only counted up or down. */
function isCounter(script: Script, kind: string, name: string, use: number): boolean {
  if (kind !== 'name' || script.patterned.has(name) || !isVisible(script, name, use)) return false
  const known = counters.get(script) ?? new Map<string, boolean>()
  counters.set(script, known)
  const found = known.get(name) ?? findCounter(script, name)
  known.set(name, found)
  return found
}

/** Whether every declaration of a counter is in the block of its use, or in the loop around it. */
function isVisible(script: Script, name: string, use: number): boolean {
  const { tokens, around, partner } = script
  return (declarations(script).get(name) ?? []).some((at) => {
    const open = around[at]
    if (isWithin(script, use, at)) return true
    // `for (let i = 0; …) { … }`, also without braces up to the end of the statement.
    const close = open === undefined ? undefined : partner.get(open)
    if (open === undefined || close === undefined || tokens[open - 1]?.text !== 'for') return false
    const body = tokens[close + 1]?.text === '{' ? partner.get(close + 1) : statementEnd(script, close + 1)
    return body !== undefined && use > close && use < body
  })
}

const places = new WeakMap<Script, ReadonlyMap<string, readonly number[]>>()

/** Where `let` and `var` declare each name. */
function declarations(script: Script): ReadonlyMap<string, readonly number[]> {
  const known = places.get(script)
  if (known !== undefined) return known
  const found = new Map<string, number[]>()
  for (const [at, { kind, text }] of script.tokens.entries())
    if (kind === 'name' && /^(?:let|var)$/.test(script.tokens[at - 1]?.text ?? ''))
      found.set(text, [...(found.get(text) ?? []), at])
  places.set(script, found)
  return found
}

/** Where a statement without braces ends at the latest that is certain. */
function statementEnd({ tokens, partner }: Script, from: number): number {
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at]
    const inner = partner.get(at)
    if (at > from && token?.starts === true) return at
    if (inner !== undefined && inner > at) at = inner
    else if (inner !== undefined || (token?.kind === 'sign' && token.text === ';')) return at
  }
  return tokens.length
}

const counters = new WeakMap<Script, Map<string, boolean>>()

function findCounter({ tokens, declared }: Script, name: string): boolean {
  let starts = 0
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'name' || token.text !== name) continue
    const before = tokens[at - 1]
    if (before?.kind === 'sign' && (before.text === '.' || before.text === '?.')) continue
    const after = tokens[at + 1]
    const isStart = before?.kind === 'name' && /^(?:let|var)$/.test(before.text) && after?.text === '='
    // `let i = 0;`, with nothing after the number.
    if (isStart && tokens[at + 2]?.kind === 'number' && /^[;,]$/.test(tokens[at + 3]?.text ?? '')) starts++
    else if (after?.kind === 'sign' && after.text.endsWith('=') && !/^(?:[<>=!]=+|[-+]=)$/.test(after.text))
      return false
    else if (after?.kind === 'name' && /^(?:of|in)$/.test(after.text)) return false
  }
  return starts > 0 && declared.get(name) === starts
}

const ARITHMETIC = /^[-*/%]$/

/** `a.length - 1`: a difference, product or quotient is a number, whatever its terms are. */
function isDifference({ tokens, partner }: Script, from: number, to: number): boolean {
  let found = false
  for (let at = from; at < to; at++) {
    const token = tokens[at]
    const inner = partner.get(at)
    if (inner !== undefined && inner > at) at = inner
    else if (token?.kind === 'name' && token.text === 'yield') return false
    else if (token?.kind === 'sign' && ARITHMETIC.test(token.text)) found = true
    else if (token?.kind === 'sign' && token.text !== '.') return false
  }
  return found
}
