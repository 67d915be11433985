import { CountersignError } from '@countersign/core'
import * as z from 'zod'

/** An MCP server: a program to start, or a URL. */
export type McpServer =
  | {
      readonly command: string
      readonly args?: readonly string[] | undefined
      readonly env?: Readonly<Record<string, string>> | undefined
      readonly cwd?: string | undefined
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined }

/** Servers by their name in policies. */
export type McpServers = Readonly<Record<string, McpServer>>

const MAX_BYTES = 256 * 1024
const MAX_SERVERS = 32

const started = z.strictObject({
  type: z.literal('stdio').optional(),
  command: z.string().min(1),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  cwd: z.string().min(1).optional(),
})
const reached = z.strictObject({
  type: z.enum(['http', 'streamable-http']).optional(),
  url: z.url({ protocol: /^https?$/, error: 'an http or https URL is required' }),
  headers: z.record(z.string(), z.string()).optional(),
})
/** `__` separates server and tool in the name for the model. */
const serverName = z
  .string()
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9-]|_(?!_)){0,31}$/,
    'a server’s name has at most 32 letters, digits, `-` and single `_`',
  )
const config = z.strictObject({ mcpServers: z.record(serverName, z.union([started, reached])) })

/** Parses an MCP configuration, `{ "mcpServers": { name: { command, args } | { url } } }`, as in other agents. Strict. */
export function readMcpConfig(text: string, name: string): McpServers {
  if (text.length > MAX_BYTES) throw wrong(`\`${name}\` is over 256 KiB; use fewer servers`)
  const checked = config.safeParse(parse(text, name))
  if (!checked.success) {
    const [issue] = checked.error.issues
    throw wrong(
      `\`${name}\`: \`${issue?.path.join('.') ?? ''}\` is invalid: ${issue?.message ?? ''}; see docs/reference/tools.md`,
    )
  }
  const { mcpServers } = checked.data
  if (Object.keys(mcpServers).length > MAX_SERVERS) throw wrong(`\`${name}\` names more than ${MAX_SERVERS} servers`)
  return mcpServers
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw wrong(`\`${name}\` is not valid JSON; fix it`, error)
  }
}

function wrong(message: string, cause?: unknown): CountersignError {
  return new CountersignError('CS_USAGE', message, { cause })
}
