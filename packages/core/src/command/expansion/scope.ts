import { CAPS } from '../model/limits.ts'

/** The value of a variable: a text, the elements of an array, or one of the names that match a pattern. */
export type Held =
  | string
  | { readonly kind: 'array'; readonly values: readonly (string | null)[] }
  | { readonly kind: 'glob'; readonly pattern: string }
  /** A path relative to the shell's folder when it was set. */
  | { readonly kind: 'here'; readonly cwd: string | null; readonly path: string }

/**
 * The known state of a shell at one point of the source: its folder, the variables set literally so far, and the
 * positional parameters. Unknown values are absent or null, never guessed.
 */
export class Scope {
  /** See CommandPart.cwd. */
  cwd: string | null
  /** null: set to an unknown value. Shared with copies until one of them writes. */
  #vars: Map<string, Held | null> | null = null
  #shared = false
  #lost = false
  positional: readonly (string | null)[] | null

  constructor(cwd: string | null = '', positional: readonly (string | null)[] | null = null) {
    this.cwd = cwd
    this.positional = positional
  }

  /** A subshell's copy. */
  copy(): Scope {
    const copy = new Scope(this.cwd, this.positional)
    copy.#vars = this.#vars
    copy.#lost = this.#lost
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
    return !this.#lost && this.#vars?.has(name) !== true
  }

  set(name: string, value: Held | null): void {
    const kept = typeof value === 'string' && value.length > CAPS.variable ? null : value
    if (this.#vars === null) this.#vars = new Map()
    else if (this.#shared) this.#vars = new Map(this.#vars)
    this.#shared = false
    this.#vars.set(name, kept)
  }

  /** Forgets all variables, after something that may have set any of them. */
  forget(): void {
    this.#vars = null
    this.#shared = false
    this.#lost = true
    this.positional = null
  }

  changeFolder(target: string | null): void {
    if (target === null || target === '-') this.cwd = null
    else if (target.startsWith('/') || target.startsWith('~')) this.cwd = target
    else if (this.cwd !== null) this.cwd = this.cwd === '' ? target : `${this.cwd}/${target}`
  }

  /** Merges the state after a branch that may or may not have run. */
  merge(branch: Scope): void {
    if (branch.cwd !== this.cwd) this.cwd = null
    if (branch.#lost) this.#lost = true
    if (branch.#vars !== this.#vars) {
      for (const [name, value] of branch.#vars ?? []) if (this.#vars?.get(name) !== value) this.set(name, null)
      if (branch.#lost)
        for (const name of [...(this.#vars?.keys() ?? [])]) if (branch.#vars?.has(name) !== true) this.set(name, null)
    }
    if (branch.positional !== this.positional) this.positional = null
  }

  /** True when a variable has text that arithmetic or a prompt would run. */
  holdsCode(): boolean {
    for (const value of this.#vars?.values() ?? [])
      if (typeof value === 'string' && looksLikeSubstitution(value)) return true
    return false
  }
}

/** Whether a text contains a command substitution that an evaluation would run. */
export function looksLikeSubstitution(text: string): boolean {
  return text.includes('$(') || text.includes('`')
}
