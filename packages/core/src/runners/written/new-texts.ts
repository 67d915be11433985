import type { FrozenCall } from '../../call/call.ts'
import type { JsonObject } from '../../call/json/json.ts'
import type { CommandPart, Decomposition } from '../../command/model/decomposition.ts'
import { folderOf } from '../../command/part-folder.ts'
import { fileEdits } from '../../preview/edits/file-edits.ts'
import { patchOf } from '../../preview/edits/patch-parser.ts'
import { endsOf } from '../../preview/kinds/move.ts'

/** A file that a call writes, and where its new text comes from. */
export interface NewText {
  readonly path: string
  /** The absolute folder that a relative path starts at. */
  readonly folder: string
  readonly by: 'tool' | 'command'
  readonly from:
    | { readonly kind: 'text'; readonly text: string }
    /** Arguments of a tool that edits files. */
    | { readonly kind: 'edit'; readonly args: JsonObject; readonly base: string }
    /** Another file, which is copied or moved. */
    | { readonly kind: 'file'; readonly path: string }
}

/** INVARIANT: L10, files of one call whose new text is looked at. */
const MAX_FILES = 64

/** The files whose new text follows from the call. */
export function newTexts(call: FrozenCall, decomposition: Decomposition | null, home: string): readonly NewText[] {
  const all = decomposition === null ? toolTexts(call) : commandTexts(decomposition, call.cwd, home)
  return all.slice(0, MAX_FILES)
}

function toolTexts(call: FrozenCall): readonly NewText[] {
  const { descriptor, args, cwd: folder } = call
  const { kind, paths = [] } = descriptor
  if (kind !== 'write' && kind !== 'move') return []
  const ends = endsOf(call)
  const by = 'tool'
  if (ends !== undefined) return [{ path: ends.to, folder, by, from: { kind: 'file', path: ends.from } }]
  const pieces = patchOf(call)
  if (pieces.length > 0)
    return pieces.flatMap(({ path, from: base = path, change, patch }) =>
      change === 'delete' ? [] : [{ path, folder, by, from: { kind: 'edit', args: { patch }, base } }],
    )
  const edits = fileEdits(call)
  if (edits !== undefined)
    return edits.map(({ path, args: own }) => ({ path, folder, by, from: { kind: 'edit', args: own, base: path } }))
  const [path] = paths
  return path === undefined || paths.length > 1 ? [] : [{ path, folder, by, from: { kind: 'edit', args, base: path } }]
}

const COPIERS = new Set(['cp', 'mv', 'ln', 'install', 'gcp', 'gmv'])

function commandTexts({ parts, written = [] }: Decomposition, cwd: string, home: string): readonly NewText[] {
  const known = written.map(
    ({ path, text }): NewText => ({ path, folder: cwd, by: 'command', from: { kind: 'text', text } }),
  )
  return [...known, ...parts.flatMap((part) => copied(part, folderOf(part.cwd, cwd, home)))]
}

/** `cp a b`, `git mv a b`: one file with a new name. Into a folder it keeps its name. */
function copied(part: CommandPart, folder: string): readonly NewText[] {
  const isGit = part.program === 'git' && part.args[0]?.value === 'mv'
  if (!isGit && !COPIERS.has(part.program ?? '')) return []
  const words = part.args.slice(isGit ? 1 : 0).flatMap(({ value, glob }) => (value === null || glob ? [] : [value]))
  const { into, files } = namedFolder(words)
  const to = into ?? files.pop()
  if (to === undefined) return []
  return files.flatMap((path): NewText[] => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const from = { kind: 'file', path } as const
    const inside: NewText = { path: `${to}/${name}`, folder, by: 'command', from }
    return files.length === 1 && into === null ? [{ path: to, folder, by: 'command', from }, inside] : [inside]
  })
}

/** The folder that `-t` names, and the words that are no options. */
function namedFolder(words: readonly string[]): { readonly into: string | null; readonly files: string[] } {
  const files: string[] = []
  let into: string | null = null
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const [, joined] = /^(?:-[a-zA-Z]*?t|--t[a-z-]*=)(.*)$/s.exec(word) ?? []
    const isAlone = /^--t[a-z-]*$/.test(word) || joined === ''
    if (isAlone || joined !== undefined) into = isAlone ? (words[++at] ?? null) : (joined ?? null)
    else if (!word.startsWith('-')) files.push(word)
  }
  return { into, files }
}
