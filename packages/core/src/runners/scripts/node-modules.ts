import type { ProjectFile, ProjectReader } from '../reading/project-reader.ts'

/** A file that is loaded, or why it can't be found with certainty. */
export type Loaded = ProjectFile | { readonly kind: 'opaque'; readonly why: string }

const ENDINGS = ['', '.js', '.json', '.node']
const INDEX = ['index.js', 'index.json', 'index.node']
/** Files that Node runs as JavaScript, or reads as data. */
const READABLE = /\.(?:js|mjs|cjs|json)$|(?:^|\/)[\w-]+$/
const PACKAGE_NAME = /^(?:@[\w.-]+\/)?[\w-][\w.-]*$/

/** The file that `require` or `import` loads, by the rules of Node. Everything it looks at is bound to the decision. */
export async function nodeModule(specifier: string, folder: string, reader: ProjectReader): Promise<Loaded> {
  const found = await find(specifier, folder, reader)
  if (found.kind === 'file' && !READABLE.test(found.real)) return unclear(`\`${found.shown}\` is not analyzed`)
  return found
}

async function find(specifier: string, folder: string, reader: ProjectReader): Promise<Loaded> {
  if (/^\.{1,2}(?:\/|$)/.test(specifier) && /^[\w@./+-]+$/.test(specifier)) {
    const file = specifier.endsWith('/') ? null : await asFile(specifier, folder, reader)
    return file ?? (await asFolder(specifier, folder, reader)) ?? unclear(`\`${specifier}\` does not exist`)
  }
  if (/^#[\w./-]+$/.test(specifier)) return mapped(specifier, folder, reader)
  if (PACKAGE_NAME.test(specifier)) return inPackages(specifier, folder, reader)
  return unclear(`\`${specifier.slice(0, 60)}\` may be any module`)
}

function unclear(why: string): Loaded {
  return { kind: 'opaque', why }
}

async function asFile(path: string, folder: string, reader: ProjectReader): Promise<Loaded | null> {
  for (const ending of ENDINGS) {
    const reading = await reader.read(path + ending, folder)
    if (reading.kind === 'absent') continue
    if (reading.kind === 'file') return reading
    // A folder is not a file; anything else that can't be read is not passed over.
    if (ending === '' && (await isFolder(path, folder, reader))) continue
    return reading
  }
  return null
}

async function isFolder(path: string, folder: string, reader: ProjectReader): Promise<boolean> {
  const real = await reader.resolve(path, folder)
  return real !== null && (await reader.typeOf(real)) === 'directory'
}

/** A folder by the `main` of its package.json, or by its index file. */
async function asFolder(path: string, folder: string, reader: ProjectReader): Promise<Loaded | null> {
  if (!(await isFolder(path, folder, reader))) return null
  const inside = `${folder}/${path}`
  const manifest = await readManifest(inside, reader)
  if (manifest === 'unclear') return unclear(`\`${path}/package.json\` can’t be read`)
  const main = manifest?.['main']
  if (main !== undefined) {
    if (typeof main !== 'string' || !/^[\w./-]+$/.test(main))
      return unclear(`\`${path}/package.json\` names an unusual file`)
    return (
      (await asFile(`./${main}`, inside, reader)) ?? unclear(`\`${path}/package.json\` names a file that is not there`)
    )
  }
  for (const name of INDEX) {
    const reading = await reader.read(name, inside)
    if (reading.kind !== 'absent') return reading
  }
  return null
}

async function readManifest(
  folder: string,
  reader: ProjectReader,
): Promise<Readonly<Record<string, unknown>> | 'unclear' | null> {
  const reading = await reader.read('package.json', folder)
  if (reading.kind === 'absent') return null
  // SECURITY: A28 Node and `JSON.parse` may differ on keys that are escaped.
  if (reading.kind === 'opaque' || reading.text.includes('\\u')) return 'unclear'
  try {
    const value: unknown = JSON.parse(reading.text)
    return typeof value === 'object' && value !== null ? { ...value } : 'unclear'
  } catch {
    return 'unclear'
  }
}

/**
 * Whether the nearest package.json has this name: a package that exports code can load itself by it. SECURITY: A28 by the text,
 * because Node and `JSON.parse` differ on keys that are escaped or repeated. Any other name changes nothing.
 */
async function isOwnName(name: string, folder: string, reader: ProjectReader): Promise<boolean> {
  const reading = await nearest(folder, reader)
  if (reading === null) return false
  if (reading.kind === 'opaque' || /\\[u/]/.test(reading.text)) return true
  return new RegExp(`"name"\\s*:\\s*"${name}"`).test(reading.text)
}

/** The nearest package.json. */
async function nearest(folder: string, reader: ProjectReader): Promise<Loaded | null> {
  for (const at of reader.upwards(folder)) {
    const reading = await reader.consult('package.json', at)
    if (reading.kind !== 'absent') return reading
  }
  return null
}

/** Whether Node reads a file as a module or a script is a matter of the nearest package.json, if it has a type. */
export async function obeyType({ real }: ProjectFile, reader: ProjectReader): Promise<void> {
  if (/\.(?:mjs|cjs|json)$/.test(real)) return
  const reading = await nearest(folderOf(real), reader)
  if (reading?.kind === 'file' && /"type"|\\u/.test(reading.text)) await reader.read(reading.real, '/')
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

/** A package in `node_modules`: the nearest one counts. */
async function inPackages(name: string, folder: string, reader: ProjectReader): Promise<Loaded> {
  if (await isOwnName(name, folder, reader)) return unclear(`\`${name}\` may be the project itself`)
  for (const at of reader.upwards(folder)) {
    if (at.endsWith('/node_modules') || !(await isFolder('node_modules', at, reader))) continue
    const packages = `${at}/node_modules`
    const bare = await reader.read(`${name}.js`, packages)
    if (bare.kind !== 'absent') return unclear(`\`${name}\` is not a package`)
    if (!(await isFolder(name, packages, reader))) {
      const other = await reader.read(name, packages)
      if (other.kind === 'absent') continue
      return unclear(`\`${name}\` is not in the project`)
    }
    const manifest = await readManifest(`${packages}/${name}`, reader)
    if (manifest === 'unclear') return unclear(`\`${name}/package.json\` can’t be read`)
    if (manifest?.['exports'] === undefined)
      return (await asFolder(name, packages, reader)) ?? unclear(`\`${name}\` has no code`)
    const target = exportedFile(manifest['exports'])
    return target === null
      ? unclear(`\`${name}/package.json\` chooses its code by conditions`)
      : ((await exact(target, `${packages}/${name}`, reader)) ?? unclear(`\`${name}\` has no code`))
  }
  return unclear(`\`${name}\` is not a module of the project`)
}

async function exact(path: string, folder: string, reader: ProjectReader): Promise<Loaded | null> {
  const reading = await reader.read(path, folder)
  return reading.kind === 'absent' ? null : reading
}

/** `"exports": "./index.js"`, also under `.`. */
function exportedFile(given: unknown): string | null {
  const main = typeof given === 'object' && given !== null && '.' in given ? given['.'] : given
  return typeof main === 'string' && /^\.\/[\w./-]+$/.test(main) && !main.includes('..') ? main : null
}

/** `#name`, by the `imports` of the nearest package.json. */
async function mapped(specifier: string, folder: string, reader: ProjectReader): Promise<Loaded> {
  for (const at of reader.upwards(folder)) {
    const manifest = await readManifest(at, reader)
    if (manifest === null) continue
    const imports = manifest === 'unclear' ? undefined : manifest['imports']
    const target = typeof imports === 'object' && imports !== null ? Object.entries(imports) : []
    const file = target.find(([name]) => name === specifier)?.[1]
    if (typeof file !== 'string' || !/^\.\/[\w./-]+$/.test(file) || file.includes('..'))
      return unclear(`\`${specifier}\` is not a single file`)
    return (await exact(file, at, reader)) ?? unclear(`\`${specifier}\` does not exist`)
  }
  return unclear(`\`${specifier}\` does not exist`)
}
