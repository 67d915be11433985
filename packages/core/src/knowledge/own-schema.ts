import * as z from 'zod'
import type { Kind } from '../call/descriptor.ts'
import { effect, level, MAX_LIST, ownProgram, undo, word, words } from './program-schema.ts'
import { named } from './strict-object.ts'

/** The most programs, and the most tools, of one file. */
const MAX_ROWS = 500

const KINDS = [
  'read',
  'write',
  'delete',
  'move',
  'execute',
  'fetch',
  'query',
  'send',
  'other',
] as const satisfies Kind[]

const toolName = z
  .string()
  .max(256)
  .regex(/^[^\s/]+(?:\/[^\s/]+)?$/, 'a tool is `name`, or `server/name` for a tool of an MCP server')

/** A tool in somebody's own knowledge. */
const tool = named('a tool', {
  names: z.array(toolName).min(1).max(MAX_LIST),
  about: z.string().min(3).max(120).exactOptional(),
  /** What sort of effect it has; rules match it. */
  kind: z.enum(KINDS).exactOptional(),
  level,
  undo: undo.exactOptional(),
  effect,
  /** Arguments that are paths. */
  path: words.max(MAX_LIST).exactOptional(),
  /** The argument that is a shell command. */
  command: word.exactOptional(),
  /** Arguments that are URLs. */
  url: words.max(MAX_LIST).exactOptional(),
  /** The argument that names what is acted on. */
  target: word.exactOptional(),
  examples: z
    .array(named('an example of a tool', { args: z.record(z.string(), z.json()).exactOptional(), level }))
    .min(1)
    .max(MAX_LIST)
    .exactOptional(),
})

/** One file of a `knowledge` folder in a home, a project or an organization. */
export const ownFile = named('a knowledge file', {
  version: z.literal(1),
  programs: z.array(ownProgram).min(1).max(MAX_ROWS).exactOptional(),
  tools: z.array(tool).min(1).max(MAX_ROWS).exactOptional(),
}).refine(({ programs, tools }) => programs !== undefined || tools !== undefined, 'write `programs` or `tools`')

/** One file, as it is written. */
export type OwnFile = z.infer<typeof ownFile>
