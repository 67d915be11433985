import type { FrozenCall } from '../../call/call.ts'
import type { Json, JsonObject } from '../../call/json/json.ts'
import type { TargetTree } from '../../ports/targets.ts'
import type { OwnPart } from './own-preview.ts'

/** What will happen, as data: surfaces draw it, and its hash is bound into the request. */
export type Preview =
  | DiffPreview
  /** A patch, or edits, of several files. */
  | {
      readonly kind: 'files'
      readonly changes: readonly DiffPreview[]
      readonly drawn?: readonly string[]
      readonly notes: readonly string[]
    }
  | {
      readonly kind: 'command'
      readonly command: string
      /** The folder it runs in. */
      readonly folder: string
      readonly parts: readonly PreviewPart[]
      /** What it would write or delete, as it is now. */
      readonly targets: readonly PreviewTarget[]
      readonly problems: readonly string[]
      /** Changes that it could load and that nobody has seen; absent if there are none. */
      readonly unseen?: UnseenPreview
    }
  /** What a delete takes away. */
  | { readonly kind: 'delete'; readonly targets: readonly PreviewTarget[]; readonly notes: readonly string[] }
  | {
      readonly kind: 'move'
      readonly verb: 'move' | 'copy'
      readonly from: PreviewTarget
      /** Where it ends up: inside, when a folder was named. */
      readonly to: PreviewTarget
      readonly overwrites: boolean
      readonly notes: readonly string[]
    }
  | {
      readonly kind: 'query'
      /** The store that is asked: a server, a database, or the tool. */
      readonly store: string
      readonly sql: string
      readonly target: string | null
      readonly effects: readonly string[]
      readonly args: JsonObject
    }
  | {
      readonly kind: 'http'
      /** Null when neither the arguments nor the kind of tool say it. */
      readonly method: string | null
      readonly url: string
      readonly host: string
      readonly args: JsonObject
      readonly notes: readonly string[]
    }
  /** The arguments of a server's tool, each with its type. */
  | { readonly kind: 'arguments'; readonly fields: readonly PreviewField[]; readonly notes: readonly string[] }
  /** The tool's own. INVARIANT: L5, every argument is shown beside it. */
  | { readonly kind: 'own'; readonly parts: readonly OwnPart[]; readonly notes: readonly string[] }
  | { readonly kind: 'json'; readonly value: Json; readonly notes?: readonly string[] }
  /** The preview itself failed: the arguments are shown raw, with the error; the call stays held. */
  | { readonly kind: 'failed'; readonly error: string; readonly value: Json }

/** One file, line by line. */
export interface DiffPreview {
  readonly kind: 'diff'
  readonly path: string
  /** `move` and `copy` are of a patch: the lines are compared with those of `from`. */
  readonly change: 'create' | 'overwrite' | 'none' | 'delete' | 'move' | 'copy'
  readonly from?: string
  readonly hunks: readonly DiffHunk[]
  readonly added: number
  readonly removed: number
  /** Lines that are not in the hunks, or not whole: the arguments hold them. */
  readonly folded: number
  /** Arguments that the picture is made of; surfaces show every other one beside it. */
  readonly drawn?: readonly string[]
  readonly notes: readonly string[]
}

/** Changed files that nobody has seen. Approving marks exactly these contents as seen. */
export interface UnseenPreview {
  /** Why everything counts as unseen; null if it does not. */
  readonly everything: string | null
  readonly files: readonly UnseenFilePreview[]
  /** Further files that are not shown, and stay unseen. */
  readonly more: number
  /** A hash of their paths and contents; absent if there are none. */
  readonly rest?: string
}

/** One of them, compared with what was seen last. */
export interface UnseenFilePreview extends DiffPreview {
  /** The content now: a hash, or a time for a folder of installed code. */
  readonly content: string
  readonly agent: string
  /** Whether the diff shows all that changed. Approving marks only such files as seen. */
  readonly whole: boolean
}

/** A file or folder as it is now, and what it holds. */
export interface PreviewTarget extends TargetTree {
  readonly path: string
  readonly use: 'read' | 'write' | 'delete'
  /** `unseen`: looking at it failed. */
  readonly type: 'file' | 'directory' | 'link' | 'other' | 'absent' | 'unseen'
  /** Where a link points, as it is written. */
  readonly leads?: string
}

/** One argument with its type in words: `text, 12 characters`. */
export interface PreviewField {
  readonly name: string
  readonly type: string
  readonly value: Json
}

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
  /** `> out.txt`, as written. */
  readonly redirections: readonly string[]
  /** The folder it runs in, where that is another than the command's. */
  readonly folder: string | null
  /** Programs whose output it reads; absent where none is known. */
  readonly fedBy?: readonly string[]
}

/** Said where the picture rests on a guess at what an unknown tool does with its arguments. */
export function guessNotes({ descriptor }: FrozenCall): readonly string[] {
  return descriptor.source === 'guessed' || descriptor.source === 'nobody'
    ? ['this is a guess at what the tool does with these arguments']
    : []
}

/**
 * What a preview says of a file before its path, on every surface.
 *
 * @example
 * CHANGE_WORDS.create // 'new file'
 */
export const CHANGE_WORDS: Readonly<Record<DiffPreview['change'], string>> = {
  create: 'new file',
  overwrite: 'changes',
  none: 'no change to',
  delete: 'deletes',
  move: 'moves',
  copy: 'copies',
}
