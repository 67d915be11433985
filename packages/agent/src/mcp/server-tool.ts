import { createHash } from 'node:crypto'
import { type Annotations, canonicalJson, type Json, type JsonObject } from '@countersign/core'
import * as z from 'zod'

/** A tool as its server lists it, read once and bounded. */
export interface ServerTool {
  readonly server: string
  readonly name: string
  /** The name a model calls it by: `server__tool`, in the letters every provider takes. */
  readonly modelName: string
  readonly description: string
  readonly inputSchema: JsonObject
  /** All that the server says of it: whatever changes there makes another tool of it. */
  readonly definition: Json
  readonly annotations: Annotations | null
}

const MOST_DEFINITION = 64 * 1024
const MOST_DESCRIPTION = 4_000
const MOST_NAME = 64

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

/** Reads one entry of a server's list; a line that says why when it cannot be used. */
export function serverTool(server: string, entry: unknown): ServerTool | string {
  const read = listed.safeParse(entry)
  if (!read.success)
    return `server \`${server}\` lists a tool that is none (${read.error.issues[0]?.path.join('.') ?? ''})`
  const { name, description = '', annotations } = read.data
  const definition = JSON.parse(JSON.stringify(entry)) as JsonObject
  if (canonicalJson(definition).length > MOST_DEFINITION)
    return `tool \`${name}\` of server \`${server}\` has a definition over 64 KiB and is left out`
  return {
    server,
    name,
    modelName: modelName(server, name),
    description: description.slice(0, MOST_DESCRIPTION).toWellFormed(),
    inputSchema: definition['inputSchema'] as JsonObject,
    definition,
    annotations: annotations === undefined ? null : (JSON.parse(JSON.stringify(annotations)) as Annotations),
  }
}

function modelName(server: string, tool: string): string {
  const name = `${server}__${tool.replace(/[^A-Za-z0-9_-]/g, '_')}`
  if (name.length <= MOST_NAME) return name
  const mark = createHash('sha256').update(tool).digest('hex').slice(0, 8)
  return `${name.slice(0, MOST_NAME - mark.length - 1)}_${mark}`
}

/** Tools whose names cannot be told apart: none of them is offered, since a call could mean either. SECURITY: A20. */
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
        `the tools ${same.map(({ server, name }) => `\`${server}/${name}\``).join(' and ')} have one name and are left out`,
    )
  return { kept, problems }
}
