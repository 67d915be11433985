import type { JsonObject } from '@countersign/core'
import type { Edit } from '../config/text.ts'
import type { Inner } from './command-line.ts'

/** What becomes of one server. `notes`: what a person should know of the edit. */
export type EntryFate =
  | {
      readonly kind: 'edit'
      readonly edits: readonly Edit[]
      readonly data: JsonObject
      readonly inner: Inner
      readonly notes?: readonly string[]
    }
  | { readonly kind: 'left'; readonly why: string }

export const left = (why: string): EntryFate => ({ kind: 'left', why })
