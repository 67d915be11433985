import { CAPS } from './caps.ts'

/**
 * What is known of a shell's state at one point of the source: its folder, the variables set literally so far, and
 * the positional parameters. What is not known is absent or null, never guessed.
 */
export class Scope {
  /** See CommandPart.cwd. */
  cwd: string | null
  /** null: known to be set, to something unknown. */
  readonly #vars: Map<string, string | null>
  #lost: boolean
  positional: readonly (string | null)[] | null

  constructor(cwd: string | null = '', positional: readonly (string | null)[] | null = null) {
    this.cwd = cwd
    this.#vars = new Map()
    this.#lost = false
    this.positional = positional
  }

  /** A subshell's copy. */
  copy(): Scope {
    const copy = new Scope(this.cwd, this.positional)
    for (const [name, value] of this.#vars) copy.#vars.set(name, value)
    copy.#lost = this.#lost
    return copy
  }

  get(name: string): string | null {
    const value = this.#vars.get(name)
    if (value !== undefined) return value
    if (this.#lost) return null
    if (name === 'IFS') return ' \t\n'
    return null
  }

  /** True while nothing in the source can have changed a variable of the environment. */
  isUntouched(name: string): boolean {
    return !this.#lost && !this.#vars.has(name)
  }

  set(name: string, value: string | null): void {
    this.#vars.set(name, value !== null && value.length > CAPS.variable ? null : value)
  }

  /** After something that may have set any variable. */
  forget(): void {
    this.#vars.clear()
    this.#lost = true
    this.positional = null
  }

  changeFolder(target: string | null): void {
    if (target === null || target === '-') this.cwd = null
    else if (target.startsWith('/') || target.startsWith('~')) this.cwd = target
    else if (this.cwd !== null) this.cwd = this.cwd === '' ? target : `${this.cwd}/${target}`
  }

  /** Joins what a branch that may or may not have run left behind. */
  merge(branch: Scope): void {
    if (branch.cwd !== this.cwd) this.cwd = null
    if (branch.#lost) this.#lost = true
    for (const [name, value] of branch.#vars) if (this.#vars.get(name) !== value) this.#vars.set(name, null)
    if (branch.#lost) for (const name of this.#vars.keys()) if (!branch.#vars.has(name)) this.#vars.set(name, null)
    if (branch.positional !== this.positional) this.positional = null
  }

  /** True when some variable holds text that arithmetic or a prompt would run. */
  holdsCode(): boolean {
    for (const value of this.#vars.values()) if (value !== null && looksLikeSubstitution(value)) return true
    return false
  }
}

/** Whether a text has a command substitution in it, were it ever evaluated. */
export function looksLikeSubstitution(text: string): boolean {
  return text.includes('$(') || text.includes('`')
}
