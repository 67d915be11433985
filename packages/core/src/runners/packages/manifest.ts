import type { ProjectFile, ProjectReader } from '../reading/project-reader.ts'
import { lineAt } from '../reading/runner.ts'

/** A package.json, as far as its scripts need it. */
export interface Manifest {
  readonly file: ProjectFile
  /** The folder of the package. */
  readonly folder: string
  readonly name: string | null
  readonly scripts: ReadonlyMap<string, string>
  readonly workspaces: readonly string[]
  readonly packageManager: string | null
}

export type ManifestReading = Manifest | { readonly why: string }

/** How far up a package.json is searched. */
const MAX_UP = 16
const MAX_MEMBERS = 40

/** Reads the package.json in exactly this folder; null if there is none. */
export async function readManifest(folder: string, reader: ProjectReader): Promise<ManifestReading | null> {
  const reading = await reader.read('package.json', folder)
  if (reading.kind === 'absent') return null
  if (reading.kind === 'opaque') return { why: reading.why }
  const content = parseObject(reading.text)
  if (content === null) return { why: `\`${reading.shown}\` is not valid JSON` }
  const scripts = new Map<string, string>()
  for (const [name, text] of entriesOf(content['scripts'])) if (typeof text === 'string') scripts.set(name, text)
  const listed = content['workspaces']
  const globs = Array.isArray(listed) ? listed : isObject(listed) ? listed['packages'] : []
  return {
    file: reading,
    folder: reading.real.slice(0, reading.real.lastIndexOf('/')),
    name: typeof content['name'] === 'string' ? content['name'] : null,
    scripts,
    workspaces: Array.isArray(globs) ? globs.filter((glob) => typeof glob === 'string') : [],
    packageManager: typeof content['packageManager'] === 'string' ? content['packageManager'] : null,
  }
}

/** The nearest package.json in this folder or above it, inside the workspace. */
export async function findManifest(folder: string, reader: ProjectReader): Promise<ManifestReading> {
  let at = await reader.resolve('.', folder)
  for (let up = 0; at !== null && reader.isInside(at) && up < MAX_UP; up++) {
    const found = await readManifest(at, reader)
    if (found !== null) return found
    at = at.slice(0, at.lastIndexOf('/'))
  }
  return { why: 'there is no package.json in the workspace' }
}

/** The members of a package's workspaces; null if they can't be listed. */
export async function membersOf(root: Manifest, reader: ProjectReader): Promise<readonly Manifest[] | null> {
  const members: Manifest[] = []
  for (const glob of root.workspaces) {
    if (glob.startsWith('!')) continue
    const folders = await foldersOf(glob.replace(/^\.\//, '').replace(/\/+$/, ''), root.folder, reader)
    if (folders === null) return null
    for (const folder of folders) {
      const found = await readManifest(`${root.folder}/${folder}`, reader)
      if (found !== null && 'why' in found) return null
      if (found !== null) members.push(found)
      if (members.length > MAX_MEMBERS) return null
    }
  }
  return members
}

/** The folders that `packages/*` or a literal path means. Other patterns are not followed. */
async function foldersOf(glob: string, root: string, reader: ProjectReader): Promise<readonly string[] | null> {
  if (!/[*?[{]/.test(glob)) return [glob]
  const above = /^([^*?[{]*)\/\*$/.exec(glob)?.[1]
  if (above === undefined) return null
  const names = await reader.names(above, root)
  return names?.filter((name) => name.endsWith('/')).map((name) => `${above}/${name.slice(0, -1)}`) ?? null
}

/** The line of a script in its file. */
export function lineOfScript({ file }: Manifest, name: string): number {
  const from = Math.max(0, file.text.indexOf('"scripts"'))
  const at = file.text.indexOf(JSON.stringify(name), from + 9)
  return lineAt(file.text, at === -1 ? from : at)
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return isObject(parsed) ? parsed : null
  } catch {
    return null
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value) : []
}
