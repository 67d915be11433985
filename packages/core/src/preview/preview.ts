import type { Json } from '../call/json.ts'

/** What will happen, as data: surfaces draw it, and its hash is bound into the request. */
export type Preview =
  | {
      readonly kind: 'diff'
      readonly path: string
      readonly change: 'create' | 'overwrite' | 'none' | 'delete'
      readonly hunks: readonly DiffHunk[]
      readonly added: number
      readonly removed: number
      readonly notes: readonly string[]
    }
  | {
      readonly kind: 'command'
      readonly command: string
      readonly parts: readonly PreviewPart[]
      readonly problems: readonly string[]
    }
  | { readonly kind: 'json'; readonly value: Json; readonly notes?: readonly string[] }
  /** The preview itself failed: the arguments are shown raw, with the error; the call stays held. */
  | { readonly kind: 'failed'; readonly error: string; readonly value: Json }

/** A stretch of changed lines with the lines around them. */
export interface DiffHunk {
  readonly oldStart: number
  readonly newStart: number
  readonly lines: readonly DiffLine[]
}

/** One line of a hunk. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** One simple command of a compound, with its own level. */
export interface PreviewPart {
  readonly text: string
  readonly program: string | null
  readonly via: readonly string[]
  readonly level: string
  readonly writes: readonly string[]
}
