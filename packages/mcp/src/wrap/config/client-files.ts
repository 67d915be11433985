import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignError, type JsonObject } from '@countersign/core'
import { type ConfigFile, readConfigFile } from '@countersign/node'
import { type Base, CLIENTS, type Client, type ClientPlace } from './clients.ts'
import { readJsonConfig } from './json.ts'
import type { ConfigText, ServerEntry } from './text.ts'
import { readTomlConfig } from './toml.ts'

/** A configuration file of a client. */
export interface PlacedFile {
  readonly client: Client
  readonly place: ClientPlace
  readonly path: string
}

/** Reads a client's file; undefined when it does not exist. CS_CLIENT_CONFIG when it cannot be edited safely. */
export function openConfig({
  path,
  place,
  client,
}: PlacedFile): { readonly file: ConfigFile; readonly config: ConfigText } | undefined {
  const file = readConfigFile(path)
  if (file === undefined) return undefined
  const config = readConfigText(file.text, place)
  if (typeof config === 'string')
    throw new CountersignError(
      'CS_CLIENT_CONFIG',
      `\`${path}\` of ${client.name} was not changed: ${config}; fix it first`,
    )
  return { file, config }
}

/** Parses a client's file; returns a reason when it cannot be parsed. */
export function readConfigText(text: string, { format, servers }: ClientPlace): ConfigText | string {
  return format === 'json' ? readJsonConfig(text, servers) : readTomlConfig(text, servers)
}

/** Parses the text of a single entry; null when it cannot be parsed. */
export function readEntryText(text: string, style: ServerEntry['style']): JsonObject | null {
  const whole =
    style === 'json' ? `{"s":{"s":{${text}}}}` : style === 'toml-line' ? `[s.s]\n${text}` : `[s]\ns = { ${text} }`
  const read = style === 'json' ? readJsonConfig(whole, [['s']]) : readTomlConfig(whole, [['s']])
  return typeof read === 'string' ? null : (read.entries[0]?.data ?? null)
}

/** Where to look for configuration files. */
export interface SearchScope {
  /** The account's home folder, not `HOME`. */
  readonly home: string
  readonly platform: string
  /** The folder whose project files are included. */
  readonly project: string
}

/** The existing configuration files of one client, or of all. */
export function findConfigs(at: SearchScope, client?: Client): readonly PlacedFile[] {
  const clients = client === undefined ? CLIENTS : [client]
  const seen = new Set<string>()
  return clients.flatMap((one) =>
    one.places
      .map((place): PlacedFile => ({ client: one, place, path: join(folderOf(place.base, at), place.path) }))
      .filter(({ path }) => existsSync(path) && !seen.has(`${one.id} ${path}`) && seen.add(`${one.id} ${path}`)),
  )
}

/** Where the files of a client are expected, for an error message. */
export function usualPaths(at: SearchScope, client: Client): readonly string[] {
  return client.places.map(({ base, path }) => join(folderOf(base, at), path))
}

function folderOf(base: Base, { home, platform, project }: SearchScope): string {
  if (base === 'home') return home
  if (base === 'project') return project
  return platform === 'darwin' ? join(home, 'Library', 'Application Support') : join(home, '.config')
}
