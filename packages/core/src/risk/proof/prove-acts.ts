import { below, type FileAct } from '../acts/file-act.ts'
import { patchedFiles, strippedName } from '../acts/patch-names.ts'
import { placeOf } from '../path/category.ts'
import type { FileLook } from '../path/file-look.ts'
import { pathKey } from '../path/paths-to-resolve.ts'
import type { PathUse } from '../report/report.ts'
import { type ActContext, isPlainFile } from './act-context.ts'
import { madeMembers, unpackedName } from './archive-members.ts'
import { isOwnFile, isRunFile } from './own-file.ts'
import { touching } from './path-change.ts'
import { isProvenPlace } from './prove-placing.ts'

type Act<K extends FileAct['kind']> = Extract<FileAct, { kind: K }>

/** The paths that proven acts change; null if one of them is not proven. INVARIANT: no proven act makes or moves a link. */
export function proveActs(acts: readonly FileAct[], context: ActContext): readonly PathUse[] | null {
  const found: PathUse[] = []
  for (const act of acts) {
    const changed = changedBy(act, context)
    if (changed === null) return null
    found.push(...changed.map((path): PathUse => ({ ...path, use: 'write' })))
  }
  return found
}

type Changed = readonly { readonly given: string; readonly real: string }[]

function changedBy(act: FileAct, context: ActContext): Changed | null {
  const { places } = context.now
  const look = (path: string): FileLook | null => lookAt(path, context)
  switch (act.kind) {
    case 'file':
      return writes(act.path, look(act.path), act.keepsNode, context)
    case 'folder':
      return isOwnFile(look(act.path)?.real ?? null, places) ? [] : null
    case 'convert': {
      const from = look(act.from)
      if (!isPlainFile(from, context) || !(act.keeps || isOwnFile(from?.real ?? null, places))) return null
      const to = look(act.to)
      return to?.type === 'link' ? null : writes(act.to, to, false, context)
    }
    case 'prefix': {
      const free = look(act.path)
      if (free?.isFree !== true || !isOwnFile(free.real, places)) return null
      return [{ given: `${act.path}${act.first}`, real: `${free.real}${act.first}` }]
    }
    case 'pack':
      return isPackable(look(act.from), context) ? [] : null
    case 'place':
      return isProvenPlace(act, look, context) ? [] : null
    case 'unpack':
      return unpacked(act, context)
    case 'compile':
      return act.sources.every((path) => isPlainCode(look(path), context)) ? [] : null
    case 'patch':
      return patched(act, context)
  }
}

function lookAt(path: string, { parts, index, looks }: ActContext): FileLook | null {
  return looks.get(pathKey(path, parts[index]?.cwd ?? null)) ?? null
}

function writes(given: string, look: FileLook | null, keepsNode: boolean, { now }: ActContext): Changed | null {
  if (look === null || look.leadsTo === 'other' || !isOwnFile(look.real, now.places)) return null
  if (keepsNode && look.leadsTo === 'file' && look.names > 1) return null
  return [{ given, real: look.real }]
}

/** A source whose text was read, and that no other part of the command changes. */
function isPlainCode(look: FileLook | null, { changes, index }: ActContext): boolean {
  return look?.isPlainSource === true && touching(changes, look.real, index).length === 0
}

/** A plain file, or a folder without links and without credentials. */
function isPackable(look: FileLook | null, { now }: ActContext): boolean {
  // SECURITY: A11 what is in an archive can be read without asking.
  if (look === null || placeOf(look.real, now.places) === 'credentials') return false
  if (look.type === 'file' || look.type === 'absent') return true
  const { tree, real } = look
  return tree?.every((name) => placeOf(below(real, name), now.places) !== 'credentials') === true
}

function unpacked({ archive, into, strip }: Act<'unpack'>, context: ActContext): Changed | null {
  const { parts, index, looks, changes, now } = context
  const file = lookAt(archive, context)
  const folder = lookAt(into, context)
  if (file === null || folder === null || (folder.leadsTo !== 'directory' && folder.leadsTo !== 'absent')) return null
  const made = madeMembers(parts, index, archive, looks, changes)
  const members = made !== undefined && strip > 0 ? null : membersOf(file, context, made)
  if (members === null) return null
  const found: { given: string; real: string }[] = []
  for (const member of members) {
    const name = unpackedName(member, strip)
    if (name === null || name === '') continue
    if (!isPlainName(name)) return null
    const given = below(into, name)
    const look = lookAt(given, context)
    // No link on the way: what is unpacked stays where its name says.
    if (look === null || look.real !== below(folder.real, name)) return null
    if ((look.type !== 'file' && look.type !== 'absent' && look.type !== 'directory') || look.names > 1) return null
    if (!isOwnFile(look.real, now.places) || isRunFile(look.real, now.places)) return null
    if (look.type !== 'directory') found.push({ given, real: look.real })
  }
  return found
}

function membersOf(
  file: FileLook,
  context: ActContext,
  made: readonly string[] | null | undefined,
): readonly string[] | null {
  const { changes, index } = context
  const makers = new Set(touching(changes, file.real, index).map(({ by }) => by))
  if (made === undefined) return file.type === 'file' && makers.size === 0 ? (file.members ?? null) : null
  const [maker] = makers
  // One that is there already may stay as it is, or keep its members.
  if (file.type !== 'absent' || maker === undefined || makers.size > 1 || maker >= index) return null
  return made
}

/** A name of an archive without steps up, other separators or control characters. */
function isPlainName(name: string): boolean {
  if (/[\\\u0000-\u001f\u007f]/.test(name)) return false
  return name.split('/').every((one) => one !== '' && one !== '.' && one !== '..')
}

function patched({ from, strip, original, onlyChecks }: Act<'patch'>, context: ActContext): Changed | null {
  const { changes, index, now } = context
  const file = 'text' in from ? null : lookAt(from.file, context)
  const files = 'text' in from ? patchedFiles(from.text) : (file?.patched ?? null)
  if (files === null || (file !== null && touching(changes, file.real, index).length > 0)) return null
  if (onlyChecks) return []
  if (original !== null && files.length !== 1) return null
  const found: { given: string; real: string }[] = []
  for (const { names, isNew } of files)
    for (const name of original === null ? names : [original]) {
      const given = original ?? strippedName(name, strip ?? 0)
      const look = given === null ? null : lookAt(given, context)
      if (given === null || look === null || look.type === 'link' || (isNew && look.type !== 'absent')) return null
      if (isRunFile(look.real, now.places)) return null
      for (const ending of ['', '.orig', '.rej']) {
        const one = lookAt(`${given}${ending}`, context)
        if (one?.type === 'link' || writes(given, one, false, context) === null) return null
      }
      found.push({ given, real: look.real })
    }
  return found
}
