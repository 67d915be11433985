import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Base, CLIENTS, type Client } from './clients.ts'
import type { PlacedFile } from './placed-file.ts'

/** Where to look. */
export interface Surroundings {
  /** The account's home folder, not `HOME`. */
  readonly home: string
  readonly platform: string
  /** The folder whose project files are looked at. */
  readonly project: string
}

/** The configuration files that are there, of one client or of all. */
export function findConfigs(at: Surroundings, client?: Client): readonly PlacedFile[] {
  const clients = client === undefined ? CLIENTS : [client]
  const seen = new Set<string>()
  return clients.flatMap((one) =>
    one.places
      .map((place): PlacedFile => ({ client: one, place, path: join(folderOf(place.base, at), place.path) }))
      .filter(({ path }) => existsSync(path) && !seen.has(`${one.id} ${path}`) && seen.add(`${one.id} ${path}`)),
  )
}

/** Where the files of a client would be, for saying that none was found. */
export function usualPaths(at: Surroundings, client: Client): readonly string[] {
  return client.places.map(({ base, path }) => join(folderOf(base, at), path))
}

function folderOf(base: Base, { home, platform, project }: Surroundings): string {
  if (base === 'home') return home
  if (base === 'project') return project
  return platform === 'darwin' ? join(home, 'Library', 'Application Support') : join(home, '.config')
}
