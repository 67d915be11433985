import type { JsonObject } from '../../call/json/json.ts'
import type { TargetFacts, Targets } from '../../ports/targets.ts'
import type { PreviewTarget } from '../model/preview.ts'

/** How many entries of a folder are counted, and how many names are shown. */
const COUNTED = 5_000
const LISTED = 12

/** How much of a folder is inspected. */
export interface InspectionLimits {
  readonly counted: number
  readonly listed: number
}

/** A file or folder that a call would touch: its type and size. A failure is part of the result, not thrown. */
export async function inspectTarget(
  path: string,
  use: PreviewTarget['use'],
  cwd: string,
  targets: Targets,
  { counted, listed }: InspectionLimits = { counted: COUNTED, listed: LISTED },
): Promise<PreviewTarget> {
  const empty = { files: 0, folders: 0, bytes: 0, listed: [], unread: 0, complete: true }
  try {
    const { type, bytes, leads } = await targets.facts(path, cwd)
    if (type === 'directory') return { path, use, type, ...(await targets.tree(path, cwd, counted, listed)) }
    const link = leads === undefined ? {} : { leads }
    return { path, use, type, ...link, ...empty, files: type === 'absent' ? 0 : 1, bytes }
  } catch {
    return { path, use, type: 'unseen', ...empty, complete: false }
  }
}

/** A size in words: `1.5 MB`. */
export function byteWords(bytes: number): string {
  const units = ['KB', 'MB', 'GB', 'TB']
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
  let value = bytes / 1024
  let unit = 0
  while (value >= 1023.5 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

/** A count with its noun, in groups of three: `1 file`, `12,000 files`. */
export function countedWords(count: number, noun: string): string {
  const digits = String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
  return `${digits} ${noun}${count === 1 ? '' : 's'}`
}

const NAMES = ['mode', 'permissions', 'file_mode', 'fileMode', 'chmod']
const EXECUTABLE = 0o111

/** Changes of a file's permissions: from the arguments, or from a patch's `new mode`. */
export function modeNotes(args: JsonObject, facts: TargetFacts): readonly string[] {
  const patched = patchMode(args)
  if (patched?.startsWith('120')) return ['creates a symbolic link; the text is its target']
  if (patched?.startsWith('160')) return ['sets a submodule; the text is its commit']
  const wanted = patched === undefined ? givenMode(args) : Number.parseInt(patched.slice(-3), 8)
  const exists = facts.type === 'file'
  if (wanted === undefined) return exists && (facts.mode & EXECUTABLE) !== 0 ? ['the file stays executable'] : []
  if (exists && wanted === (facts.mode & 0o7777)) return []
  const runs = (wanted & EXECUTABLE) !== 0
  if (!exists) {
    // The default mode of a new file.
    if (patched !== undefined && !runs) return []
    return [`mode will be ${octal(wanted)}${runs ? ' (executable)' : ''}`]
  }
  const ran = (facts.mode & EXECUTABLE) !== 0
  // git only records whether a file is executable.
  if (patched !== undefined && runs === ran) return []
  const effect = runs === ran ? '' : runs ? ' (becomes executable)' : ' (no longer executable)'
  return [`mode changes from ${octal(facts.mode)} to ${octal(wanted)}${effect}`]
}

function givenMode(args: JsonObject): number | undefined {
  for (const name of NAMES) {
    const value = args[name]
    if (typeof value === 'string' && /^(?:0o?)?[0-7]{3,4}$/.test(value))
      return Number.parseInt(value.replace('o', ''), 8)
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0o7777) return value
  }
  return undefined
}

/** The mode in a patch header: `100755`, or `120000` for a link. */
function patchMode(args: JsonObject): string | undefined {
  const { patch } = args
  if (typeof patch !== 'string') return undefined
  const end = patch.search(/^@@/m)
  const head = end === -1 ? patch.slice(0, 4000) : patch.slice(0, end)
  return /^new (?:file )?mode (\d{6})\r?$/m.exec(head)?.[1]
}

function octal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, '0')
}

/** A larger file is not compared; its size is shown instead. */
const MAX_FILE_BYTES = 1024 * 1024

/** The current content of a path, as far as it can be compared. */
export type Current =
  | { readonly kind: 'text'; readonly text: string; readonly facts: TargetFacts }
  | { readonly kind: 'absent'; readonly facts: TargetFacts }
  | { readonly kind: 'folder' }
  /** No text to compare: binary, too large, or not a regular file. */
  | { readonly kind: 'opaque'; readonly note: string; readonly facts: TargetFacts }
  /** Reading failed. */
  | { readonly kind: 'unseen'; readonly note: string }

/** Reads the current content of a path. One unreadable file must not spoil the preview of the others. */
export async function readCurrent(path: string, cwd: string, targets: Targets): Promise<Current> {
  try {
    return await readNow(path, cwd, targets)
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 300).toWellFormed() : 'it failed'
    return { kind: 'unseen', note: `the current content of \`${path}\` could not be read: ${why}` }
  }
}

async function readNow(path: string, cwd: string, targets: Targets): Promise<Current> {
  const text = await targets.readText(path, cwd, MAX_FILE_BYTES)
  const facts = await followed(path, cwd, targets)
  if (text !== undefined) return { kind: 'text', text, facts }
  switch (facts.type) {
    case 'absent':
      return { kind: 'absent', facts }
    case 'directory':
      return { kind: 'folder' }
    case 'link':
    case 'other':
      return { kind: 'opaque', note: `\`${path}\` is not a regular file`, facts }
    case 'file': {
      const size = byteWords(facts.bytes)
      const why = facts.bytes > MAX_FILE_BYTES ? `too large to compare (${size})` : `binary (${size})`
      return { kind: 'opaque', note: `the current content of \`${path}\` is ${why}`, facts }
    }
  }
}

/** The file that a write would change: links are followed, also to a file that does not exist yet. */
async function followed(path: string, cwd: string, targets: Targets): Promise<TargetFacts> {
  const facts = await targets.facts(path, cwd)
  return facts.type === 'link' ? targets.facts(await targets.resolve(path, cwd), cwd) : facts
}
