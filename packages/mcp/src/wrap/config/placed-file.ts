import { CountersignError, type JsonObject } from '@countersign/core'
import type { Client, ClientPlace } from './clients.ts'
import { type ConfigFile, readConfigFile } from './file.ts'
import { readJsonConfig } from './json.ts'
import type { ConfigText, ServerEntry } from './text.ts'
import { readTomlConfig } from './toml.ts'

/** A file that can be looked at. */
export interface PlacedFile {
  readonly client: Client
  readonly place: ClientPlace
  readonly path: string
}

/** Opens and reads a client's file; undefined when there is none. CS_CLIENT_CONFIG when it cannot be changed safely. */
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
      `\`${path}\` of ${client.name} is left as it is: ${config}; correct it first`,
    )
  return { file, config }
}

/** Reads the text of a client's file; a text says why it cannot be read. */
export function readConfigText(text: string, { format, servers }: ClientPlace): ConfigText | string {
  return format === 'json' ? readJsonConfig(text, servers) : readTomlConfig(text, servers)
}

/** What the text of one server says by itself, from its first member to its last; null when that cannot be read. */
export function readEntryText(text: string, style: ServerEntry['style']): JsonObject | null {
  const whole =
    style === 'json' ? `{"s":{"s":{${text}}}}` : style === 'toml-line' ? `[s.s]\n${text}` : `[s]\ns = { ${text} }`
  const read = style === 'json' ? readJsonConfig(whole, [['s']]) : readTomlConfig(whole, [['s']])
  return typeof read === 'string' ? null : (read.entries[0]?.data ?? null)
}
