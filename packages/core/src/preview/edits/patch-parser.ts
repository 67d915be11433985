import { isPatch } from '../../call/arguments/patch-paths.ts'
import type { FrozenCall } from '../../call/call.ts'
import type { JsonObject } from '../../call/json/json.ts'
import { CONTENT } from './content-arguments.ts'
import { isMarked } from './replace-blocks.ts'

/** One file of a patch: what happens to it, and the lines of the patch that say so. */
export interface PatchPiece {
  readonly path: string
  /** Of a move or a copy: the file it is made from. */
  readonly from?: string
  readonly change: 'edit' | 'delete' | 'move' | 'copy'
  /** A patch of this file alone, with its heading. */
  readonly patch: string
  /** False for a change of name or mode only, and for bytes. */
  readonly hasLines: boolean
  /** The size of binary content, 0 when the patch does not hold it; undefined when this is text. */
  readonly binary?: number
  readonly added: number
  readonly removed: number
}

/** Takes a patch apart, file by file: the `*** Update File:` dialect, unified diffs, and git's own. */
export function patchPieces(text: string): readonly PatchPiece[] {
  return isMarked(text) ? markedPieces(text) : unifiedPieces(text)
}

function markedPieces(text: string): readonly PatchPiece[] {
  const pieces: { verb: string; path: string; to?: string; lines: string[] }[] = []
  for (const line of text.split('\n')) {
    const heading = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line)
    const move = /^\*\*\* Move (?:File )?to: (.+)$/.exec(line)
    const last = pieces.at(-1)
    if (heading !== null) pieces.push({ verb: heading[1] ?? '', path: named(heading[2]), lines: [line] })
    else if (move !== null && last !== undefined) last.to = named(move[1])
    else if (!/^\*\*\* (?:Begin|End) Patch/.test(line)) last?.lines.push(line)
  }
  return pieces.map(({ verb, path, to, lines }): PatchPiece => {
    const patch = ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')
    const counts = { ...countLines(lines.slice(1)), patch }
    if (to !== undefined) return { path: to, from: path, change: 'move', ...counts }
    return { path, change: verb === 'Delete' ? 'delete' : 'edit', ...counts }
  })
}

function unifiedPieces(text: string): readonly PatchPiece[] {
  const pieces: string[][] = []
  const lines = text.split('\n')
  let left = { old: 0, now: 0 }
  let inGit = false
  for (const [at, line] of lines.entries()) {
    const isBody = left.old > 0 || left.now > 0
    const begins = !isBody && (line.startsWith('diff --git ') || (!inGit && isHeading(line, lines[at + 1])))
    if (begins) pieces.push([])
    pieces.at(-1)?.push(line)
    if (line.startsWith('diff --git ') && !isBody) inGit = true
    const hunk = isBody ? null : /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line)
    if (hunk !== null) {
      left = { old: Number(hunk[1] ?? 1), now: Number(hunk[2] ?? 1) }
      inGit = false
    } else if (isBody && !line.startsWith('\\')) {
      left = { old: left.old - (line.startsWith('+') ? 0 : 1), now: left.now - (line.startsWith('-') ? 0 : 1) }
    }
  }
  return pieces.flatMap((piece) => unifiedPiece(piece) ?? [])
}

function isHeading(line: string, next: string | undefined): boolean {
  return /^--- \S/.test(line) && /^\+\+\+ \S/.test(next ?? '')
}

function unifiedPiece(lines: readonly string[]): PatchPiece | undefined {
  const start = lines.findIndex((line) => line.startsWith('@@'))
  const head = (start === -1 ? lines : lines.slice(0, start)).map((line) => line.replace(/\r$/, ''))
  const value = (mark: string): string | undefined => head.find((line) => line.startsWith(mark))?.slice(mark.length)
  const binary = binaryBytes(head)
  const counts = {
    ...countLines(start === -1 ? [] : lines.slice(start)),
    patch: lines.join('\n'),
    ...(binary === undefined ? {} : { binary }),
  }
  const move = value('rename to ')
  if (move !== undefined) return { path: named(move), from: named(value('rename from ')), change: 'move', ...counts }
  const copy = value('copy to ')
  if (copy !== undefined) return { path: named(copy), from: named(value('copy from ')), change: 'copy', ...counts }
  const git = gitNames(value('diff --git '))
  const from = fileName(value('--- ')) ?? git?.[0]
  const to = fileName(value('+++ ')) ?? git?.[1]
  const deletes = to === '/dev/null' || value('deleted file mode ') !== undefined
  const path = deletes ? from : to
  return path === undefined ? undefined : { path, change: deletes ? 'delete' : 'edit', ...counts }
}

/** `GIT binary patch` holds the bytes, `Binary files … differ` only says that there are some. */
function binaryBytes(head: readonly string[]): number | undefined {
  const at = head.indexOf('GIT binary patch')
  if (at !== -1) return Number(/^(?:literal|delta) (\d{1,15})$/.exec(head[at + 1] ?? '')?.[1] ?? 0)
  return head.some((line) => line.startsWith('Binary files ') && line.endsWith(' differ')) ? 0 : undefined
}

/** `a/src/x.ts<TAB>date` is `src/x.ts`. */
function fileName(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const written = named(header.split('\t')[0])
  return /^[abciow]\//.test(written) ? written.slice(2) : written
}

/** Names with blanks are told apart by their halves being equal. */
function gitNames(both: string | undefined): readonly [string, string] | undefined {
  if (both === undefined) return undefined
  const words = both.split(' ')
  const middle = (both.length - 1) / 2
  const [from, to] = words.length === 2 ? words : [both.slice(0, middle), both.slice(middle + 1)]
  const names = [fileName(from), fileName(to)] as const
  return names[0] === undefined || names[1] === undefined ? undefined : [names[0], names[1]]
}

function named(path: string | undefined): string {
  const text = (path ?? '').trim()
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text
}

function countLines(lines: readonly string[]): Pick<PatchPiece, 'added' | 'removed' | 'hasLines'> {
  const added = lines.filter((line) => line.startsWith('+')).length
  const removed = lines.filter((line) => line.startsWith('-')).length
  return { added, removed, hasLines: added + removed > 0 }
}

/**
 * The files of the patch a call carries; none when it carries none. SECURITY: A8 a patch is drawn as one only where the
 * call was judged by the very same files.
 */
export function patchOf(call: FrozenCall): readonly PatchPiece[] {
  const name = patchName(call)
  const text = name === undefined ? undefined : call.args[name]
  const pieces = typeof text === 'string' ? patchPieces(text) : []
  const paths = call.descriptor.paths ?? []
  return pieces.flatMap(touchedBy).every((path) => paths.includes(path)) ? pieces : []
}

/** The paths that one piece of a patch changes. */
export function touchedBy({ path, from }: PatchPiece): readonly string[] {
  return from === undefined ? [path] : [from, path]
}

/** The argument that holds the patch; not one that is the content of a file the call names by itself. */
export function patchName({ args, descriptor }: FrozenCall): string | undefined {
  const names = Object.keys(args).filter((name) => isPatchText(args, name))
  const writes = Object.values(args).some((value) => typeof value === 'string' && descriptor.paths?.includes(value))
  return names.find((one) => !writes || !CONTENT.includes(one))
}

function isPatchText(args: JsonObject, name: string): boolean {
  const value = args[name]
  return typeof value === 'string' && isPatch(value)
}
