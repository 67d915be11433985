import type { DiffPreview } from './preview.ts'

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
