import { CountersignError } from '@countersign/core'
import * as z from 'zod'

/** How one MCP server is reached: a program that is started, or an address. */
export type McpServer =
  | {
      readonly command: string
      readonly args?: readonly string[] | undefined
      readonly env?: Readonly<Record<string, string>> | undefined
      readonly cwd?: string | undefined
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined }

/** Servers by the name that policy knows them by. */
export type McpServers = Readonly<Record<string, McpServer>>

const MOST_BYTES = 256 * 1024
const MOST_SERVERS = 32

const started = z.strictObject({
  type: z.literal('stdio').optional(),
  command: z.string().min(1),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  cwd: z.string().min(1).optional(),
})
const reached = z.strictObject({
  type: z.enum(['http', 'streamable-http']).optional(),
  url: z.url({ protocol: /^https?$/, error: 'an http or https address is needed' }),
  headers: z.record(z.string(), z.string()).optional(),
})
/** `__` stands between server and tool in the name a model is told. */
const serverName = z
  .string()
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9-]|_(?!_)){0,31}$/,
    'a server’s name has letters, digits, `-` and single `_`, at most 32',
  )
const config = z.strictObject({ mcpServers: z.record(serverName, z.union([started, reached])) })

/** Reads a file of MCP servers, `{ "mcpServers": { name: { command, args } | { url } } }`, as other agents have it. Strict. */
export function readMcpConfig(text: string, name: string): McpServers {
  if (text.length > MOST_BYTES) throw wrong(`\`${name}\` is over 256 KiB; name fewer servers`)
  const checked = config.safeParse(parse(text, name))
  if (!checked.success) {
    const [issue] = checked.error.issues
    throw wrong(
      `\`${name}\`: \`${issue?.path.join('.') ?? ''}\` is wrong: ${issue?.message ?? ''}; see docs/reference/tools.md`,
    )
  }
  const { mcpServers } = checked.data
  if (Object.keys(mcpServers).length > MOST_SERVERS) throw wrong(`\`${name}\` names more than ${MOST_SERVERS} servers`)
  return mcpServers
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw wrong(`\`${name}\` is no JSON; correct it`, error)
  }
}

function wrong(message: string, cause?: unknown): CountersignError {
  return new CountersignError('CS_USAGE', message, { cause })
}
