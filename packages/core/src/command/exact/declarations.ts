import type { Assignment, CommandArgument } from 'unbash'
import { computeText } from './arithmetic.ts'
import { isOwnName } from './names.ts'
import { DATA, type ExactState, Inexact, NUMBER_OR_NOTHING, SOME_NUMBER, textValue, type Value } from './state.ts'
import type { Expansion } from './words.ts'

const NAME = /^[A-Za-z_]\w*$/

/** Builtins whose words are assignments. */
export const DECLARING: ReadonlySet<string> = new Set(['declare', 'typeset', 'local', 'export'])

/** Sets a variable of this shell. */
export function assign(node: Assignment, state: ExactState, words: Expansion, isDeclared = false): void {
  const { name, index, append } = node
  if (name === 'IFS') {
    if (state.isRepeated || node.value.type !== 'Word' || words.value(node.value).kind !== 'text') throw new Inexact()
    state.splitsOtherwise = true
    return
  }
  if (index !== undefined && !/^\d{1,6}$/.test(index.text)) throw new Inexact()
  const value = assigned(node, words)
  if (isDeclared && node.value.type === 'Word' && mayBeList(value, state)) throw new Inexact()
  if (state.isComputed(name)) {
    if (value.kind === 'text') computeText(value.text, state)
    else if (value.kind !== 'number') throw new Inexact()
    state.set(name, SOME_NUMBER)
    return
  }
  if (index !== undefined) state.set(name, DATA)
  else if (append !== true) state.set(name, value)
  else {
    const before = state.get(name)
    state.set(name, before?.kind === 'text' && value.kind === 'text' ? textValue(before.text + value.text) : DATA)
  }
}

function assigned({ value }: Assignment, words: Expansion): Value {
  if (value.type === 'Word') return words.value(value)
  const items: string[] = []
  let isKnown = true
  for (const element of value.elements) {
    // `[index]=value` evaluates the index.
    if (/^\[/.test(element.text)) throw new Inexact()
    for (const word of words.words(element)) {
      if (word.text === null || word.glob !== null || word.isPipe) isKnown = false
      else items.push(word.text)
    }
  }
  return isKnown && items.length > 0 ? { kind: 'list', items } : DATA
}

/** `declare`, `local` and `export` with assignments as the source has them. */
export function declare(builtin: string, args: readonly CommandArgument[], state: ExactState, words: Expansion): void {
  // Outside a function it fails, and sets nothing.
  if (builtin === 'local' && state.calls.length === 0) throw new Inexact()
  let flags = ''
  let named = 0
  for (const arg of args) {
    if (arg.type === 'Word') {
      if (arg.parts !== undefined) throw new Inexact()
      if (/^-[ainp]$/.test(arg.value) && named === 0 && builtin !== 'export') {
        flags += arg.value.slice(1)
        continue
      }
      if (!NAME.test(arg.value) || !isOwnName(arg.value)) throw new Inexact()
    } else if (flags.includes('p') || arg.append === true || arg.index !== undefined) throw new Inexact()
    named++
    declareOne(arg, flags, builtin, state, words)
  }
  // Without names it prints all variables.
  if (named === 0 || flags.length > 1) throw new Inexact()
}

function declareOne(arg: CommandArgument, flags: string, builtin: string, state: ExactState, words: Expansion): void {
  if (arg.type === 'Word') {
    if (flags === 'p') return
    if (flags === 'n') throw new Inexact()
    const isNew = state.get(arg.value) === undefined
    // A shell below this one may have been given a value, which is computed, too.
    if (flags === 'i' && isNew && state.isHeld && builtin !== 'local') throw new Inexact()
    if (flags === 'i') state.compute(arg.value)
    // A new local variable has no value; an exported one keeps its own.
    if (builtin === 'local' || (flags === 'i' && isNew)) state.set(arg.value, flags === 'i' ? NUMBER_OR_NOTHING : DATA)
    return
  }
  if (!isOwnName(arg.name)) throw new Inexact()
  if (flags === 'n') {
    const target = arg.value.type === 'Word' && arg.value.parts === undefined ? arg.value.value : ''
    if (state.isRepeated || !NAME.test(target)) throw new Inexact()
    state.refer(arg.name, target)
    return
  }
  if (flags === 'i') state.compute(arg.name)
  assign(arg, state, words, true)
}

/** `declare a='($(ls))'`: for an array, the text is read as a list. */
function mayBeList(value: Value, { mayHaveArrays }: ExactState): boolean {
  if (value.kind === 'text') return value.text.startsWith('(')
  return value.kind !== 'number' && mayHaveArrays
}
