import { createHash } from 'node:crypto'
import { type Annotations, canonicalJson, type Json, type JsonObject } from '@countersign/core'
import * as z from 'zod'

/** A tool as its server lists it, parsed and limited. */
export interface ServerTool {
  readonly server: string
  readonly name: string
  /** The name for the model: `server__tool`, in characters every provider accepts. */
  readonly modelName: string
  readonly description: string
  readonly inputSchema: JsonObject
  /** The full definition: any change makes it another tool. */
  readonly definition: Json
  readonly annotations: Annotations | null
}

const MAX_DEFINITION = 64 * 1024
const MAX_DESCRIPTION = 4_000
const MAX_NAME = 64

const hint = z.boolean().optional().catch(undefined)
const listed = z.looseObject({
  name: z.string().min(1).max(256),
  description: z.string().optional(),
  inputSchema: z.looseObject({ type: z.literal('object') }),
  annotations: z
    .object({ readOnlyHint: hint, destructiveHint: hint, idempotentHint: hint, openWorldHint: hint })
    .optional()
    .catch(undefined),
})

/** Parses one entry of a server’s list; returns a reason when it cannot be used. */
export function serverTool(server: string, entry: unknown): ServerTool | string {
  const read = listed.safeParse(entry)
  if (!read.success) return `server \`${server}\` lists an invalid tool (${read.error.issues[0]?.path.join('.') ?? ''})`
  const { name, description = '', annotations } = read.data
  const definition = JSON.parse(JSON.stringify(entry)) as JsonObject
  if (canonicalJson(definition).length > MAX_DEFINITION)
    return `tool \`${name}\` of server \`${server}\` has a definition over 64 KiB and is omitted`
  return {
    server,
    name,
    modelName: modelName(server, name),
    description: description.slice(0, MAX_DESCRIPTION).toWellFormed(),
    inputSchema: definition['inputSchema'] as JsonObject,
    definition,
    annotations: annotations === undefined ? null : (JSON.parse(JSON.stringify(annotations)) as Annotations),
  }
}

function modelName(server: string, tool: string): string {
  const name = `${server}__${tool.replace(/[^A-Za-z0-9_-]/g, '_')}`
  if (name.length <= MAX_NAME) return name
  const mark = createHash('sha256').update(tool).digest('hex').slice(0, 8)
  return `${name.slice(0, MAX_NAME - mark.length - 1)}_${mark}`
}

/** Drops tools with ambiguous names: a call could mean either. SECURITY: A20. */
export function withoutCollisions(tools: readonly ServerTool[]): {
  readonly kept: readonly ServerTool[]
  readonly problems: readonly string[]
} {
  const byName = Map.groupBy(tools, ({ modelName: name }) => name.toLowerCase())
  const kept = tools.filter(({ modelName: name }) => byName.get(name.toLowerCase())?.length === 1)
  const problems = [...byName.values()]
    .filter((same) => same.length > 1)
    .map(
      (same) =>
        `the tools ${same.map(({ server, name }) => `\`${server}/${name}\``).join(' and ')} share a name and are omitted`,
    )
  return { kept, problems }
}
