import { readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { isSameFile } from '../files/file-identity.ts'
import { systemCode } from '../files/private-file.ts'
import { isPolicyName, MAX_FILES } from './layer-reader.ts'

/** What a look at a path gave: nothing there, or why it could not be looked at. */
type Look = Stats | 'absent' | { readonly error: string }

/** A layer as it was last looked at, where one look at its folder and one at its file tell that it is still so. */
interface Plain {
  readonly folder: Stats
  readonly path: string
  /** Undefined where none was. */
  readonly file: Stats | undefined
  readonly text: string
}

/** Times of files are coarser than the moments between two changes: a folder younger than this may change unseen. */
const SETTLED_MS = 2000

/** By folder; a process looks at three of them at every call. */
const plain = new Map<string, Plain>()
const MOST = 64

/** Changes whenever a policy file of the folder may have; never throws. */
export function layerSignature(folder: string): string {
  const last = plain.get(folder)
  if (last !== undefined && isStill(folder, last)) return last.text
  const base = lookAt(folder)
  return base === 'absent' ? base : wholeSignature(folder, base)
}

function isStill(folder: string, { folder: base, path, file }: Plain): boolean {
  try {
    return isSameFile(base, statSync(folder, QUIET)) && isSameFile(file, statSync(path, QUIET))
  } catch {
    return false
  }
}

const QUIET = { throwIfNoEntry: false } as const

function wholeSignature(folder: string, base: Look): string {
  const [yaml, yml, drop] = [join(folder, 'policy.yaml'), join(folder, 'policy.yml'), join(folder, 'policy.d')]
  const [long, short, dropped] = [lookAt(yaml), lookAt(yml), lookAt(drop)]
  const text = `${placeOf(base)}|${fileText(long)}|${fileText(short)}|${placeOf(dropped)}`
  plain.delete(folder)
  if (dropped !== 'absent') {
    const names = listed(drop)
    return [text, ...names.flatMap((name) => [name, fileText(lookAt(join(drop, name)))])].join('|')
  }
  // Whatever comes into a folder changes its times: while they stand, what was not there is not there.
  if (isStats(base) && base.ctimeMs + SETTLED_MS < Date.now() && (long === 'absent' || short === 'absent')) {
    const [path, file] = long === 'absent' ? [yml, short] : [yaml, long]
    if (plain.size >= MOST) plain.clear()
    // What could not be looked at is looked at again.
    if (file === 'absent') plain.set(folder, { folder: base, path, file: undefined, text })
    else if (isStats(file)) plain.set(folder, { folder: base, path, file, text })
  }
  return text
}

function lookAt(path: string): Look {
  try {
    return statSync(path, QUIET) ?? 'absent'
  } catch (error) {
    return { error: String(systemCode(error)) }
  }
}

function isStats(look: Look): look is Stats {
  return typeof look === 'object' && !('error' in look)
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter(isPolicyName)
      .slice(0, MAX_FILES + 1)
  } catch (error) {
    return [String(systemCode(error))]
  }
}

/** Without times: other files of the folder come and go. */
function placeOf(look: Look): string {
  if (!isStats(look)) return typeof look === 'string' ? look : look.error
  return `${look.dev}:${look.ino}:${look.mode}:${look.uid}`
}

function fileText(look: Look): string {
  if (!isStats(look)) return typeof look === 'string' ? look : look.error
  return `${look.dev}:${look.ino}:${look.size}:${look.mtimeMs}:${look.ctimeMs}`
}
