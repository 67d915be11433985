import { posix } from 'node:path'
import { type Import, importsOf } from './imports.ts'
import { isTest, type Offence, type SourceFile } from './offence.ts'
import { ROOMS } from './rooms.ts'

/** DESIGN §4: which package may import which. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  core: [],
  postgres: ['core'],
  node: ['core', 'postgres'],
  server: ['core', 'node', 'hosts', 'notify', 'telemetry'],
  react: ['core'],
  web: ['react'],
  page: ['core', 'react'],
  terminal: ['core'],
  agent: ['core', 'node'],
  mcp: ['core', 'node'],
  hosts: ['core', 'node'],
  notify: ['core', 'node'],
  telemetry: ['core'],
  adapters: ['core', 'node'],
  cli: [
    'core',
    'node',
    'postgres',
    'server',
    'react',
    'web',
    'terminal',
    'agent',
    'mcp',
    'hosts',
    'notify',
    'telemetry',
    'adapters',
  ],
}

/** Inside core: every folder that comes before `approval`. */
const BEFORE_APPROVAL = [
  'errors',
  'ports',
  'knowledge',
  'call',
  'command',
  'secrets',
  'display',
  'journal',
  'preview',
  'runners',
  'risk',
  'intent',
  'policy',
  'safety',
]

/** Inside core: the folders that a folder may import at run time. `gate` stands for the top-level files. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  ports: ['errors'],
  knowledge: ['errors', 'ports'],
  call: ['errors', 'ports', 'knowledge'],
  command: ['errors', 'ports', 'knowledge', 'call'],
  secrets: ['errors', 'ports', 'knowledge', 'call'],
  display: ['errors', 'ports', 'knowledge', 'call', 'command'],
  journal: ['errors', 'ports', 'call', 'command', 'secrets'],
  preview: ['errors', 'ports', 'call', 'command', 'secrets', 'display'],
  runners: ['errors', 'ports', 'knowledge', 'call', 'command', 'preview'],
  risk: ['errors', 'ports', 'knowledge', 'call', 'command', 'secrets', 'intent', 'runners'],
  intent: ['errors', 'ports', 'knowledge', 'call', 'command', 'secrets'],
  policy: ['errors', 'ports', 'knowledge', 'call', 'command', 'secrets', 'runners', 'risk', 'intent'],
  safety: ['errors', 'ports', 'call', 'command', 'secrets', 'runners', 'risk', 'intent', 'policy'],
  approval: BEFORE_APPROVAL,
  execute: [...BEFORE_APPROVAL, 'approval'],
  tables: ['errors', 'ports', 'call', 'journal'],
  audit: ['errors', 'ports', 'call', 'display', 'journal', 'approval'],
}

/** Additional folders for type imports only: shapes that are shown or recorded, never their code. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  knowledge: ['call', 'risk', 'intent'],
  intent: ['risk'],
  preview: ['risk', 'policy'],
}

/** All dependencies that core may have. */
const CORE_DEPENDENCIES = ['yaml', 'zod', 're2js', 'unbash', 'diff']

/** Every import that violates DESIGN §4. Tests may import what they test. */
export function checkDirections(files: readonly SourceFile[]): Offence[] {
  const packages = files.filter((file) => /^packages\/[^/]+\/package\.json$/.test(file.path))
  const manifests = new Map(packages.map(dependenciesOf))
  const doors = new Set(packages.flatMap(doorsOf))
  return files
    .filter((file) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(file.path) && !isTest(file.path))
    .flatMap((file) =>
      importsOf(file.text).flatMap((found) => {
        const message = judge(file.path, found, manifests, doors)
        return message === undefined ? [] : [{ path: file.path, line: found.line, message }]
      }),
    )
}

function judge(
  path: string,
  found: Import,
  manifests: ReadonlyMap<string, readonly string[]>,
  doors: ReadonlySet<string>,
): string | undefined {
  const { specifier, typeOnly, lazy } = found
  const from = packageOf(path)
  if (specifier.startsWith('node:'))
    return from === 'core' ? `core may not import \`${specifier}\`; use a port` : undefined
  if (specifier.startsWith('.')) {
    const target = posix.join(posix.dirname(path), specifier)
    if (packageOf(target) !== from || !target.startsWith(`packages/${from}/src/`))
      return `\`${specifier}\` leaves the package; import the other package by its name`
    return (
      (from === 'core' ? judgeFolders(folderOf(path), folderOf(target), typeOnly) : undefined) ??
      (lazy ? undefined : judgeRooms(path, target))
    )
  }
  const own = /^@countersign\/([^/]+)(\/.*)?$/.exec(specifier)
  if (own !== null) {
    if (own[2] !== undefined && !doors.has(specifier))
      return `\`${specifier}\` reaches into a package; import \`@countersign/${own[1]}\``
    return PACKAGES[from]?.includes(own[1] ?? '') ? undefined : `${from} may not import ${own[1]}`
  }
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
  if (from === 'core' && !CORE_DEPENDENCIES.includes(name)) return `core may not depend on \`${name}\``
  return manifests.get(from)?.includes(name) ? undefined : `\`${name}\` is not in the package.json of ${from}`
}

function judgeFolders(from: string, to: string, typeOnly: boolean): string | undefined {
  if (from === to || from === 'gate') return undefined
  if (FOLDERS[from]?.includes(to) || (typeOnly && TYPES[from]?.includes(to))) return undefined
  return typeOnly ? `${from} may not import types of ${to}` : `${from} may not import ${to}`
}

/** Rooms of one folder may import only those before them in `rooms.ts`. */
function judgeRooms(path: string, target: string): string | undefined {
  for (const [folder, order] of Object.entries(ROOMS)) {
    const [from, to] = [roomOf(folder, path), roomOf(folder, target)]
    if (from === undefined || to === undefined || from === to) continue
    const rooms = order.split(' ')
    const unlisted = [from, to].find((room) => !rooms.includes(room))
    if (unlisted !== undefined) return `${folder}/${unlisted} has no place in scripts/architecture/rooms.ts`
    if (rooms.indexOf(to) > rooms.indexOf(from)) return `in ${folder}, ${from} may not import ${to}`
  }
  return undefined
}

function roomOf(folder: string, path: string): string | undefined {
  if (!path.startsWith(`${folder}/`)) return undefined
  const [room = '', rest] = path.slice(folder.length + 1).split('/')
  return rest === undefined ? '.' : room
}

function packageOf(path: string): string {
  return path.split('/')[1] ?? ''
}

/** The folder of core that a file is in; `errors` for errors.ts, `gate` for other top-level files. */
function folderOf(path: string): string {
  const [folder = '', rest] = path.slice('packages/core/src/'.length).split('/')
  if (rest !== undefined) return folder
  return folder === 'errors.ts' ? 'errors' : 'gate'
}

/** The exports of a package by full name. */
function doorsOf(file: SourceFile): readonly string[] {
  const { exports = {} }: { exports?: object } = JSON.parse(file.text)
  return Object.keys(exports).map((door) => `@countersign/${packageOf(file.path)}${door.slice(1)}`)
}

/** The packages that a package's sources may import. The command is bundled, so its dependencies are devDependencies. */
function dependenciesOf(file: SourceFile): [name: string, dependencies: readonly string[]] {
  const manifest: { dependencies?: object; peerDependencies?: object; devDependencies?: object } = JSON.parse(file.text)
  const name = packageOf(file.path)
  const bundled = name === 'cli' ? manifest.devDependencies : {}
  return [name, Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, ...bundled })]
}
