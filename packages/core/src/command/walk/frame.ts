import type { SyntaxNode } from 'unbash'
import type { Held, Scope } from '../expansion/scope.ts'
import type { Input } from '../expansion/standard-input.ts'
import type { CommandPart, Redirection } from '../model/decomposition.ts'
import type { SimpleCommand } from '../nested/nested-command.ts'
import type { DefinedFunction } from './function-definitions.ts'

/** The context in which a node would run. */
export interface Frame {
  readonly scope: Scope
  readonly via: readonly string[]
  readonly input: Input
  /** The streams it reads and writes; see PartFlow. */
  readonly reads: number
  readonly writes: number
  /** Redirections of the groups around it. */
  readonly redirections: readonly Redirection[]
  readonly depth: number
  readonly wrappers: number
  /** The functions being called, outermost first. */
  readonly calls: readonly DefinedFunction[]
  /** The text positions refer to. */
  readonly source: string
  /** The position of the source in the command, when it is not the command itself. */
  readonly span: CommandPart['span'] | null
}

/** One step of the visit. An explicit stack of steps, so that no input can overflow the call stack. */
export type Task =
  | { readonly kind: 'node'; readonly node: SyntaxNode; readonly frame: Frame }
  | { readonly kind: 'simple'; readonly command: PlacedCommand; readonly frame: Frame }
  | { readonly kind: 'source'; readonly text: string; readonly frame: Frame }
  /** A branch that may or may not run, from the state at that point. */
  | { readonly kind: 'branch'; readonly node: SyntaxNode; readonly frame: Frame }
  | { readonly kind: 'merge'; readonly into: Scope; readonly branch: Scope }
  /** An iteration of a loop over known words. */
  | { readonly kind: 'set'; readonly scope: Scope; readonly name: string; readonly value: Held | null }

/** The redirections and position of a simple command. */
export interface Placed {
  readonly redirections: readonly Redirection[]
  readonly text: string
  readonly span: CommandPart['span']
  /** True while it runs in the shell that reads the source and may change its state. */
  readonly sameShell: boolean
  /** The stream of the substitutions in its words. */
  readonly stream: number
}

export type PlacedCommand = SimpleCommand & Placed
