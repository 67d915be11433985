import type { AndOr, Case, For, If, SyntaxNode, Word } from 'unbash'
import { programRow } from '../../knowledge/programs.ts'
import { lowerCase, SHELL_BUILTINS, WELL_KNOWN } from '../programs/program-names.ts'
import { computeExpression } from './arithmetic.ts'
import { checkCondition } from './conditions.ts'
import { writtenNames } from './names.ts'
import { exactRedirections } from './redirects.ts'
import {
  DATA,
  type ExactState,
  type ExactWalk,
  type ExactWord,
  type FunctionBody,
  Inexact,
  type Value,
} from './state.ts'
import { Expansion, literal } from './words.ts'

/** A loop over more words is followed with an unknown one. */
const MOST_ROUNDS = 16
const FUNCTION = /^[a-z][\w-]{0,63}$/

/** Follows a list, condition, loop or function: each thing it could run, from each state it could run in. */
export function runCompound(node: SyntaxNode, state: ExactState, walk: ExactWalk): void {
  switch (node.type) {
    case 'Statement':
      walk.node(node.command, state)
      return
    case 'CompoundList':
      for (const one of node.commands) walk.node(one, state)
      return
    case 'BraceGroup':
      walk.node(node.body, state)
      return
    case 'Subshell':
      apart(node.body, state, walk)
      return
    case 'Pipeline':
      if (node.commands.length === 1) for (const one of node.commands) walk.node(one, state)
      else for (const one of node.commands) apart(one, state, walk, true)
      return
    case 'AndOr':
      runAndOr(node, state, walk)
      return
    case 'Redirected': {
      const redirections = exactRedirections(node.redirects, state, new Expansion(state, walk))
      if (redirections.length > 0) walk.emit([literal(':')], redirections, state)
      walk.node(node.command, state)
      return
    }
    case 'If':
      runIf(node, state, walk)
      return
    case 'Case':
      runCase(node, state, walk)
      return
    case 'While':
      repeat(node, state, (inner) => {
        walk.node(node.clause, inner)
        walk.node(node.body, inner)
      })
      return
    case 'For':
      runFor(node, state, walk)
      return
    case 'ArithmeticFor': {
      const compute = (one: typeof node.test, inner: ExactState): void => {
        if (one !== undefined)
          computeExpression(one, inner, () => {
            throw new Inexact()
          })
      }
      compute(node.initialize, state)
      repeat(node, state, (inner) => {
        compute(node.test, inner)
        walk.node(node.body, inner)
        compute(node.update, inner)
      })
      return
    }
    case 'TestCommand':
      checkCondition(node.expression, state, walk)
      return
    case 'ArithmeticCommand':
      computeExpression(node.expression, state, (part) => new Expansion(state, walk).part(part))
      return
    case 'Function':
      define(node.name, node.body, state)
      return
    default:
      throw new Inexact()
  }
}

/** Runs code in a shell of its own: nothing of it stays, and nothing may be left running. */
function apart(node: SyntaxNode, state: ExactState, walk: ExactWalk, isPiped = false): void {
  const inside = state.nested()
  inside.isPiped ||= isPiped
  walk.node(node, inside)
  if (inside.running > state.running) throw new Inexact()
}

/**
 * Each command after the first runs or not. Where only `&&` came before, each runs behind all others, and after `cd x &&` the
 * folder is certain; behind any `||` each of the others may have been passed over.
 */
function runAndOr({ commands, operators }: AndOr, state: ExactState, walk: ExactWalk): void {
  const [first, second] = commands
  if (first !== undefined) walk.node(first, state)
  // `cd x || exit`.
  const ends = commands.length === 2 && operators[0] === '||' && isChange(first) && isExit(second, state)
  const outcomes: ExactState[] = []
  let now = state
  let isSure = true
  for (const [at, command] of commands.entries()) {
    if (at === 0) continue
    const next = now.nested()
    isSure &&= operators[at - 1] === '&&'
    if (!isSure) next.join([state, ...outcomes])
    else if (isChange(commands[at - 1])) next.folders = now.arrived
    walk.node(command, next)
    outcomes.push(next)
    now = next
  }
  if (ends) state.folders = state.arrived
  else state.join(outcomes)
}

function isChange(node: SyntaxNode | undefined): boolean {
  return node?.type === 'Command' && node.name?.text === 'cd'
}

/** Outside a function, `return` fails and the command goes on. */
function isExit(node: SyntaxNode | undefined, { calls }: ExactState): boolean {
  if (node?.type !== 'Command' || node.redirects.length > 0) return false
  return node.name?.text === 'exit' || (node.name?.text === 'return' && calls.length > 0)
}

function runIf(node: If, state: ExactState, walk: ExactWalk): void {
  const branches: ExactState[] = []
  const branch = (body: SyntaxNode): void => {
    const inside = state.nested()
    walk.node(body, inside)
    branches.push(inside)
  }
  for (const arm of [node, ...node.elif]) {
    const condition = state.nested()
    walk.node(arm.clause, condition)
    state.join([condition])
    branch(arm.then)
  }
  if (node.else !== undefined) branch(node.else)
  state.join(branches)
}

function runCase({ word, items }: Case, state: ExactState, walk: ExactWalk): void {
  const expansion = new Expansion(state, walk)
  expansion.value(word)
  const branches: ExactState[] = []
  for (const { pattern, body, terminator } of items) {
    if (terminator === ';&' || terminator === ';;&') throw new Inexact()
    for (const one of pattern) expansion.visit(one.parts ?? [])
    const inside = state.nested()
    walk.node(body, inside)
    branches.push(inside)
  }
  state.join(branches)
}

/** What a loop sets is unknown before each round and after it, however far the last round got. */
function repeat(node: SyntaxNode, state: ExactState, round: (inner: ExactState) => void, kept?: string): void {
  const names = writtenNames(node)
  for (const body of state.functions.values())
    for (const [name, kind] of writtenNames(body)) if (kind === 'data' || !names.has(name)) names.set(name, kind)
  if (kept !== undefined) names.delete(kept)
  state.forget(names)
  const inside = state.nested()
  inside.isRepeated = true
  round(inside)
  if (inside.folders.join('\0') !== state.folders.join('\0')) throw new Inexact()
  state.join([inside])
  state.forget(names)
}

function runFor(node: For, state: ExactState, walk: ExactWalk): void {
  const name = node.name.value
  const expansion = new Expansion(state, walk)
  const words = node.wordlist?.flatMap((word) => expansion.words(word)) ?? null
  const isOwn = writtenNames(node.body).has(name)
  for (const value of isOwn ? [DATA] : valuesOf(words)) {
    repeat(
      node,
      state,
      (inner) => {
        inner.set(name, value)
        walk.node(node.body, inner)
      },
      name,
    )
  }
  state.set(name, DATA)
}

function valuesOf(words: readonly ExactWord[] | null): readonly Value[] {
  if (words === null || words.length > MOST_ROUNDS) return [DATA]
  return words.map(({ text, glob, isPipe }): Value => {
    if (text === null || isPipe || glob === 'loop') return DATA
    return glob === null ? { kind: 'text', text } : { kind: 'match', pattern: text }
  })
}

/** A function with a name that nothing else has: what hides a program or a builtin is not followed. */
function define(word: Word, body: FunctionBody, state: ExactState): void {
  const name = word.value
  const isTaken = SHELL_BUILTINS.has(name) || WELL_KNOWN.has(name) || programRow(lowerCase(name)) !== undefined
  if (word.parts !== undefined || !FUNCTION.test(name) || isTaken || name.startsWith('command_not_found'))
    throw new Inexact()
  if (state.isNested || state.isRepeated || state.functions.has(name)) throw new Inexact()
  state.functions.set(name, body)
}
