import { JAVASCRIPT } from '../../../knowledge/compiled/runners.ts'
import type { Script } from './javascript-names.ts'

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
    inside.every(({ kind, text }) => kind === 'number' || isCounter(script, kind, text) || text === '+' || text === '-')
  )
    return inside.every(({ kind }) => kind !== 'string')
  return isDifference(script, from, to)
}

/** A variable that starts as a number and is only counted up or down. */
function isCounter(script: Script, kind: string, name: string): boolean {
  if (kind !== 'name' || script.patterned.has(name)) return false
  const known = counters.get(script) ?? new Map<string, boolean>()
  counters.set(script, known)
  const found = known.get(name) ?? findCounter(script, name)
  known.set(name, found)
  return found
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
