import { CAPS } from '../model/limits.ts'

/** The value of a variable: a text, the elements of an array, one of the names that match a pattern, or some number. */
export type Held =
  | string
  | { readonly kind: 'array'; readonly values: readonly (string | null)[] }
  | { readonly kind: 'glob'; readonly pattern: string }
  | { readonly kind: 'number' }
  /** A path relative to the shell's folder when it was set. */
  | { readonly kind: 'here'; readonly cwd: string | null; readonly path: string }

/** What a declaration makes of a variable: its values are computed, it names another variable, or its indexes are text. */
export type Attribute = 'integer' | 'reference' | 'map'

const NO_ATTRIBUTES: ReadonlyMap<string, Attribute> = new Map()

/**
 * The known state of a shell at one point of the source: its folder, the variables set literally so far, and the
 * positional parameters. Unknown values are absent or null, never guessed.
 */
export class Scope {
  /** See CommandPart.cwd. */
  cwd: string | null
  /** See CommandPart.cwdLike. */
  cwdLike: string | undefined
  /** null: set to an unknown value. Shared with copies until one of them writes. */
  #vars: Map<string, Held | null> | null = null
  #shared = false
  /** Set when any variable may have changed: to any text, or by other code. */
  #lost: 'data' | 'code' | null = null
  #attributes = NO_ATTRIBUTES
  positional: readonly (string | null)[] | null

  constructor(cwd: string | null = '', positional: readonly (string | null)[] | null = null) {
    this.cwd = cwd
    this.positional = positional
  }

  /** A subshell's copy. */
  copy(): Scope {
    const copy = new Scope(this.cwd, this.positional)
    copy.cwdLike = this.cwdLike
    copy.#vars = this.#vars
    copy.#lost = this.#lost
    copy.#attributes = this.#attributes
    if (this.#vars !== null) {
      this.#shared = true
      copy.#shared = true
    }
    return copy
  }

  /** The text of a variable, or the first element of an array. */
  get(name: string): string | null {
    const held = this.held(name)
    if (held === null) return name === 'IFS' && this.isUntouched(name) ? ' \t\n' : null
    if (typeof held === 'string') return held
    return held.kind === 'array' ? (held.values[0] ?? null) : null
  }

  /** The value of a variable; null when unknown. */
  held(name: string): Held | null {
    return this.#vars?.get(name) ?? null
  }

  /** True while the source cannot have changed an environment variable. */
  isUntouched(name: string): boolean {
    return this.#lost === null && this.#vars?.has(name) !== true
  }

  attribute(name: string): Attribute | undefined {
    return this.#attributes.get(name)
  }

  /** Remembers how a variable is declared. */
  declare(name: string, attribute: Attribute): void {
    this.#attributes = new Map(this.#attributes).set(name, attribute)
  }

  set(name: string, value: Held | null): void {
    const kept = typeof value === 'string' && value.length > CAPS.variable ? null : value
    if (this.#vars === null) this.#vars = new Map()
    else if (this.#shared) this.#vars = new Map(this.#vars)
    this.#shared = false
    this.#vars.set(name, kept)
  }

  /** Forgets all variables, after something that may have set any of them to any text. */
  forget(): void {
    this.#vars = null
    this.#shared = false
    this.#lost = 'data'
    this.positional = null
  }

  /** The same after other code, such as a sourced file: what it set needs no suspicion, since it runs anyway. */
  forgetToCode(): void {
    for (const name of [...(this.#vars?.keys() ?? [])]) this.set(name, null)
    this.#lost ??= 'code'
    this.positional = null
  }

  /** Whether data that the source reads may be in a variable. */
  mayHoldData(name: string): boolean {
    return this.#lost === 'data' || this.#vars?.has(name) === true
  }

  changeFolder(target: string | null): void {
    if (target === null || target === '-') this.#move(null)
    else if (target.startsWith('/') || target.startsWith('~')) this.#move(target)
    else if (this.cwd !== null) this.#move(this.cwd === '' ? target : `${this.cwd}/${target}`)
    else if (this.cwdLike !== undefined) this.cwdLike = `${this.cwdLike}/${target}`
  }

  /** `cd ../s*h`: one of the folders that match a pattern. */
  changeToMatch(pattern: string): void {
    const before = this.cwd ?? this.cwdLike
    const isWhole = pattern.startsWith('/') || pattern.startsWith('~')
    if (isWhole || before !== undefined) this.cwdLike = isWhole || before === '' ? pattern : `${before}/${pattern}`
    this.cwd = null
  }

  #move(cwd: string | null): void {
    this.cwd = cwd
    this.cwdLike = undefined
  }

  /** Merges the state after a branch that may or may not have run. */
  merge(branch: Scope): void {
    if (branch.cwd !== this.cwd) this.cwd = null
    if (branch.cwdLike !== this.cwdLike) this.cwdLike = this.cwdLike === undefined ? branch.cwdLike : undefined
    if (branch.#lost !== null) this.#lost = this.#lost === 'data' ? 'data' : branch.#lost
    if (branch.#vars !== this.#vars) {
      for (const [name, value] of branch.#vars ?? [])
        if (this.#vars?.get(name) !== value) this.set(name, this.#eitherNumber(name, value))
      if (branch.#lost !== null)
        for (const name of [...(this.#vars?.keys() ?? [])]) if (branch.#vars?.has(name) !== true) this.set(name, null)
    }
    if (branch.positional !== this.positional) {
      this.positional = null
      this.set('@', null)
    }
    if (branch.#attributes.size > this.#attributes.size) this.#attributes = branch.#attributes
  }

  /** A number, if it is one with and without the branch. */
  #eitherNumber(name: string, value: Held | null): Held | null {
    const before = this.held(name)
    const was = before === null ? !this.mayHoldData(name) && /^[a-z_]/.test(name) : isNumber(before)
    return was && isNumber(value) ? NUMBER : null
  }
}

/** A whole number, unknown which. */
export const NUMBER: Held = { kind: 'number' }

/** Whether a value is a number, or empty. */
export function isNumber(held: Held | null): boolean {
  if (typeof held === 'string') return /^\s*-?\d*\s*$/.test(held)
  return held?.kind === 'number'
}

/** Whether a text contains a command substitution that an evaluation would run. */
export function looksLikeSubstitution(text: string): boolean {
  return text.includes('$(') || text.includes('`')
}
