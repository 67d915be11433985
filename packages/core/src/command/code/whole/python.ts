import { PYTHON } from '../../../knowledge/compiled/runners.ts'
import type { CodeEffect } from '../find-effects.ts'
import { UnclearCode } from './javascript-tokens.ts'
import { PREFIXES, type PythonImport } from './python-base.ts'
import { ImportReader } from './python-imports.ts'
import { pythonTokens } from './python-tokens.ts'
import { MAX_CODE } from './understanding.ts'

const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield match case self cls'
  ).split(' '),
)

/** Python that is understood whole, or why it is not. */
export type PythonUnderstanding =
  | {
      readonly kind: 'whole'
      readonly effects: readonly CodeEffect[]
      readonly imports: readonly PythonImport[]
      /** Folders that it adds to those that modules are loaded from. */
      readonly folders: readonly string[]
      /** Names of the module that lead to powers, which another module must not use. */
      readonly exposes: ReadonlySet<string>
      /** The members that it uses, and the names it takes from modules. */
      readonly members: ReadonlySet<string>
      /** Its arguments may name modules to load. */
      readonly takesModules: boolean
      /** It reads or changes its arguments. */
      readonly usesArguments: boolean
    }
  | { readonly kind: 'unclear'; readonly why: string }

/** Understands Python whole, or tells what in it is unclear. `file` is its path; null for code on the command line. */
export function understandPython(text: string, file: string | null): PythonUnderstanding {
  if (text.length > MAX_CODE) return { kind: 'unclear', why: 'is too long to analyze' }
  try {
    return new Reader(pythonTokens(text), file).run()
  } catch (error) {
    if (error instanceof UnclearCode) return { kind: 'unclear', why: error.message }
    throw error
  }
}

class Reader extends ImportReader {
  run(): PythonUnderstanding {
    const tokens = this.tokens
    for (const [at, { kind, text }] of tokens.entries()) {
      if (kind !== 'name' || this.done.has(at)) continue
      if (text === 'from') this.readFrom(at)
      else if (text === 'import') this.readImport(at)
    }
    if (this.bound.size > 200) throw new UnclearCode('is too long to analyze')
    for (const [name, target] of this.aliases) if (this.isSteady(name, target)) this.steady.set(name, target)
    if (!this.bound.has('str') && this.isCalledOnly('str')) this.steady.set('str', 'str')
    this.noteDeclared()
    for (const [at, { kind }] of tokens.entries()) {
      if (kind === 'name' && !this.done.has(at)) this.name(at)
      if (this.effects.length > 64) throw new UnclearCode('is too long to analyze')
    }
    return {
      kind: 'whole',
      effects: this.effects,
      imports: this.imports,
      folders: this.folders,
      exposes: this.exposes,
      members: this.members,
      takesModules: this.takesModules,
      usesArguments: this.usesArguments,
    }
  }

  /** Whether every use of a harmless function calls it, so that the name is never bound again. */
  protected isSteady(name: string, target: string): boolean {
    return PREFIXES.has(target) || !this.isHarmless(target) || this.isCalledOnly(name)
  }

  protected isCalledOnly(name: string): boolean {
    return this.tokens.every(
      ({ kind, text }, at) =>
        kind !== 'name' ||
        text !== name ||
        this.done.has(at) ||
        this.is(at - 1, '.') ||
        (this.is(at + 1, '(') && !/^(?:def|class)$/.test(this.tokens[at - 1]?.text ?? '')),
    )
  }

  /** Names in places where they may be bound. Too many is harmless: a name that nothing binds is an error when it runs. */
  protected noteDeclared(): void {
    for (const [at, { kind, text }] of this.tokens.entries()) {
      if (kind !== 'name') continue
      const [before, after] = [this.tokens[at - 1], this.tokens[at + 1]]
      const isAfter = before !== undefined && /^(?:def|class|as|for|global|nonlocal|lambda|\*|\*\*)$/.test(before.text)
      const isBefore = after?.kind === 'end' || /^(?:=|:=|,|\)|:|\]|in|->|;)$/.test(after?.text ?? '')
      if (isAfter || isBefore) this.declared.add(text)
    }
  }

  protected name(at: number): void {
    const tokens = this.tokens
    const text = tokens[at]?.text ?? ''
    if (this.is(at - 1, '.')) {
      this.attribute(at)
      if (text === 'format') this.format(at)
      return
    }
    if (PYTHON.never.has(text)) this.fail(at)
    const isDunder = text.startsWith('__') && text.endsWith('__')
    if (this.is(at - 1, 'def', 'name') && !PYTHON.otherBuiltins.has(text) && !this.aliases.has(text)) {
      if (isDunder && !PYTHON.methods.has(text)) this.fail(at)
      return
    }
    if (isDunder) {
      this.dunder(at)
      return
    }
    if (KEYWORDS.has(text)) return
    const alias = this.aliases.get(text)
    if (alias !== undefined) {
      this.use(at, alias)
      return
    }
    if (text === 'open') {
      this.open(at)
      return
    }
    if (PYTHON.otherBuiltins.has(text)) this.fail(at)
    if (text === 'type') this.typeOf(at)
    // A class pattern could take the method of a string by this name.
    if (text === 'format' && !this.is(at + 1, '(')) this.fail(at)
    const isKnown = PYTHON.builtins.has(text) || this.bound.has(text) || this.declared.has(text)
    if (!isKnown && !this.members.has('*')) this.fail(at)
  }

  protected dunder(at: number): void {
    const text = this.tokens[at]?.text ?? ''
    if (!PYTHON.dunders.has(text)) this.fail(at)
    if ((text === '__name__' || text === '__doc__') && this.is(at + 1, '=')) this.fail(at)
    if (text !== '__file__') return
    // Only as an argument: it must not be bound again.
    const isCalled = this.tokens[at - 2]?.kind === 'name' && !KEYWORDS.has(this.tokens[at - 2]?.text ?? '')
    const isDefined = /^(?:def|class)$/.test(this.tokens[at - 3]?.text ?? '')
    // `case str(__file__)` binds it.
    const hasPatterns = this.tokens.some(({ kind, text: word }) => kind === 'name' && word === 'case')
    if (!this.is(at - 1, '(') || !this.is(at + 1, ')') || !isCalled || isDefined || hasPatterns) this.fail(at)
  }

  /** `'{}'.format(x)`: the text must not name members of its arguments. */
  protected format(at: number): void {
    const text = this.tokens[at - 2]
    const isAlone = this.tokens[at - 3]?.kind !== 'string' && !this.is(at - 3, 'f)')
    const isPlain = text?.kind === 'string' && text.plain && isAlone
    if (!isPlain || /\{[^{}:!]*[^\w{}:!][^{}]*[}:!]/.test(text.text) || text.text.includes('__')) this.fail(at)
  }
}
