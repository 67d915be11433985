import type { SyntaxNode } from 'unbash'
import type { Frame } from './frame.ts'

/** A function that the source defines. */
export interface DefinedFunction {
  readonly name: string
  readonly body: SyntaxNode
  /** Where it was defined. */
  readonly frame: Frame
}

/** The functions and aliases of a source, and which functions were called with known words. */
export class Definitions {
  #functions: Map<string, DefinedFunction> | null = null
  #aliases: Map<string, string> | null = null
  #uncalled: Set<DefinedFunction> | null = null

  define(one: DefinedFunction): void {
    this.#functions ??= new Map()
    this.#functions.set(one.name, one)
    this.#uncalled ??= new Set()
    this.#uncalled.add(one)
  }

  defineAlias(name: string, text: string): void {
    this.#aliases ??= new Map()
    this.#aliases.set(name, text)
  }

  has(name: string): boolean {
    return !this.isEmpty && (this.#functions?.has(name) === true || this.#aliases?.has(name) === true)
  }

  get isEmpty(): boolean {
    return this.#functions === null && this.#aliases === null
  }

  alias(name: string): string | undefined {
    return this.#aliases?.get(name)
  }

  /** The function of a name. */
  named(name: string): DefinedFunction | undefined {
    return this.#functions?.get(name)
  }

  /** Marks a function as visited. */
  follow(one: DefinedFunction): void {
    this.#uncalled?.delete(one)
  }

  /** Removes and returns an uncalled function: it may be called later with any arguments. */
  takeUncalled(): DefinedFunction | undefined {
    if (this.#uncalled === null) return undefined
    const first = this.#uncalled.values().next().value
    if (first !== undefined) this.#uncalled.delete(first)
    return first
  }
}
