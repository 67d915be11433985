import type { PythonImport } from '../../command/code/whole/python-base.ts'
import { PYTHON } from '../../knowledge/compiled/runners.ts'
import type { ProjectFile, ProjectReader } from '../reading/project-reader.ts'

/** The files that an import loads, in order, or why they can't be found with certainty. */
export type LoadedModules =
  | {
      readonly kind: 'files'
      readonly files: readonly ProjectFile[]
      /** A compiled copy of one of them is in `__pycache__`. */
      readonly cached: boolean
    }
  | { readonly kind: 'opaque'; readonly why: string }

/**
 * The files that `import` loads: every package on the way, and names that are modules of a package. `isGiven` allows folders
 * without `__init__.py`, for a module that is named on the command line and whose names are not used.
 */
export async function pythonModule(
  { module, names }: PythonImport,
  from: ProjectFile | null,
  roots: readonly string[],
  reader: ProjectReader,
  isGiven = false,
): Promise<LoadedModules> {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0
  const path = module
    .slice(dots)
    .split('.')
    .filter((name) => name !== '')
  if (dots > 0) {
    if (from === null) return opaque(module, 'is a relative import outside a package')
    let folder = from.real
    for (let level = 0; level < dots; level++) folder = folder.slice(0, folder.lastIndexOf('/'))
    if (!reader.isInside(folder)) return opaque(module, 'is outside the workspace')
    return dotted(path, names, folder, reader)
  }
  const [root = ''] = path
  let found: string | null = null
  for (const folder of new Set(roots)) {
    const place = await lookIn(root, folder, reader, isGiven)
    if (place.kind === 'opaque') return place
    // The order of the folders may change while the code runs.
    if (place.kind === 'found' && found !== null) return opaque(module, 'is in several folders')
    if (place.kind === 'found') found = folder
  }
  return found === null ? opaque(module, 'is not a module of the project') : dotted(path, names, found, reader, isGiven)
}

function opaque(name: string, why: string): LoadedModules & { readonly kind: 'opaque' } {
  return { kind: 'opaque', why: `\`${name.slice(0, 60)}\` ${why}` }
}

type Place =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'found'
      /** Null for a folder without `__init__.py`. */
      readonly file: ProjectFile | null
      readonly inside: string | null
      readonly cached: boolean
    }
  | { readonly kind: 'opaque'; readonly why: string }

/**
 * What a name means in a folder. SECURITY: compiled code comes before its source. A copy in `__pycache__` may hold other code
 * than the source, so that the proof holds only where caches are not used.
 */
async function lookIn(name: string, folder: string, reader: ProjectReader, isGiven = false): Promise<Place> {
  const names = await reader.names('.', folder)
  if (names === null) return opaque(name, 'is in a folder that can’t be listed')
  const isPackage = names.includes(`${name}/`)
  const others = names.filter((one) => one.startsWith(`${name}.`) && one !== `${name}.py`)
  // Endings that Python never loads.
  if (others.some((one) => /\.(?:so|pyd|pyc|dll|dylib)$|\.py$/.test(one))) return opaque(name, 'has compiled code')
  if (names.includes(name)) return opaque(name, 'is a link')
  const inside = isPackage ? `${folder}/${name}` : null
  const path = isPackage ? `${name}/__init__.py` : `${name}.py`
  if (!isPackage && !names.includes(`${name}.py`)) return { kind: 'absent' }
  const reading = await reader.read(path, folder)
  if (reading.kind === 'opaque') return reading
  // Without `__init__.py` a module of another folder may be meant.
  if (reading.kind === 'absent')
    return isGiven
      ? { kind: 'found', file: null, inside, cached: false }
      : opaque(name, 'is a folder without `__init__.py`')
  const source = isPackage ? '__init__' : name
  const beside = inside === null ? names : await reader.names('.', inside)
  if (beside === null) return opaque(name, 'is in a folder that can’t be listed')
  if (beside.some((one) => one.startsWith(`${source}.`) && /\.(?:so|pyd|pyc)$/.test(one)))
    return opaque(name, 'has compiled code')
  return { kind: 'found', file: reading, inside, cached: beside.some((one) => /^__pycache__\/?$/.test(one)) }
}

/** Follows a dotted name from a folder. */
async function dotted(
  path: readonly string[],
  names: readonly string[],
  start: string,
  reader: ProjectReader,
  isGiven = false,
): Promise<LoadedModules> {
  const files: ProjectFile[] = []
  let cached = false
  let folder: string | null = start
  for (const name of path) {
    if (folder === null) return opaque(name, 'is not in a package')
    const place = await lookIn(name, folder, reader, isGiven)
    if (place.kind === 'opaque') return place
    if (place.kind === 'absent') return opaque(name, 'does not exist')
    if (place.file !== null) files.push(place.file)
    cached ||= place.cached
    folder = place.inside
  }
  if (folder === null) return { kind: 'files', files, cached }
  if (path.length === 0) {
    // `from . import x`: the package itself is loaded already.
    const own = await reader.read('__init__.py', folder)
    if (own.kind === 'file') files.push(own)
  }
  for (const name of names) {
    const place = await lookIn(name, folder, reader)
    if (place.kind === 'opaque') return place
    if (place.kind === 'found' && place.file !== null) files.push(place.file)
    if (place.kind === 'found') cached ||= place.cached
  }
  return { kind: 'files', files, cached }
}

/** Files in a folder that Python loads in place of modules of its own, whoever imports them. */
export async function shadowedModules(folder: string, reader: ProjectReader): Promise<readonly string[]> {
  const names = await reader.names('.', folder)
  if (names === null) return ['the modules beside the script can’t be listed']
  return names.flatMap((name) => {
    const isFolder = name.endsWith('/')
    const module = isFolder ? name.slice(0, -1) : (name.split('.')[0] ?? name)
    const isCode = isFolder || !name.includes('.') || /\.(?:py|pyc|pyd|so)$/.test(name)
    // Python's own helpers start with an underscore.
    const isHelper = /^_(?!_(?:init|main|pycache)__$)/.test(module)
    return isCode && (PYTHON.modules.has(module) || isHelper)
      ? [`\`${reader.shown(`${folder}/${name.replace(/\/$/, '')}`)}\` replaces a module of Python`]
      : []
  })
}
