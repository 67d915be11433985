import type { SyntaxNode } from 'unbash'
import type { Held, Scope } from '../expansion/scope.ts'
import type { Input } from '../expansion/standard-input.ts'
import type { CommandPart, Redirection } from '../model/decomposition.ts'
import type { SimpleCommand } from '../nested/nested-command.ts'
import type { DefinedFunction } from './function-definitions.ts'

/** Everything around a node that says how it would run. */
export interface Frame {
  readonly scope: Scope
  readonly via: readonly string[]
  readonly input: Input
  /** The streams it reads and writes; see PartFlow. */
  readonly reads: number
  readonly writes: number
  /** Those of the groups around it. */
  readonly redirections: readonly Redirection[]
  readonly depth: number
  readonly wrappers: number
  /** The functions being called, outermost first. */
  readonly calls: readonly DefinedFunction[]
  /** The text positions refer to. */
  readonly source: string
  /** Where the whole source lies in the command, when it is not the command itself. */
  readonly span: CommandPart['span'] | null
}

/** One step of the visit. The stack holds these, so that no input can exhaust ours. */
export type Task =
  | { readonly kind: 'node'; readonly node: SyntaxNode; readonly frame: Frame }
  | { readonly kind: 'simple'; readonly command: PlacedCommand; readonly frame: Frame }
  | { readonly kind: 'source'; readonly text: string; readonly frame: Frame }
  /** Something that may or may not run, from the state reached when its turn comes. */
  | { readonly kind: 'branch'; readonly node: SyntaxNode; readonly frame: Frame }
  | { readonly kind: 'merge'; readonly into: Scope; readonly branch: Scope }
  /** A round of a loop over known words. */
  | { readonly kind: 'set'; readonly scope: Scope; readonly name: string; readonly value: Held | null }

/** A simple command's own redirections and place. */
export interface Placed {
  readonly redirections: readonly Redirection[]
  readonly text: string
  readonly span: CommandPart['span']
  /** True while it runs in the shell that reads the source, whose state it may change. */
  readonly sameShell: boolean
  /** The stream of the substitutions in its words. */
  readonly stream: number
}

export type PlacedCommand = SimpleCommand & Placed
