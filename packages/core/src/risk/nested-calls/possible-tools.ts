import type { InnerCall } from './finder.ts'

/** What is longer names nothing. */
const LONGEST = 128

export interface InnerTool {
  readonly server: string | null
  readonly name: string
}

/** Prefixes of a name that are followed: `default_api.s.delete_all`. */
const MOST_PREFIXES = 3

/**
 * Every tool that a name inside a call may mean, the likeliest first: rules for any of them hold. SECURITY: A1, a server
 * that the call names, beside the name or before it, is one more to look at and hides none, since nobody knows whether the
 * tool around it heeds that key.
 */
export function innerTools({ name, server, around }: InnerCall, outer: string | null): readonly InnerTool[] {
  const given = server !== null && server.length <= LONGEST ? server : null
  const tools = on([given ?? around ?? outer, outer, around, null], name)
  let whole = name
  for (let at = 0; at < MOST_PREFIXES; at++) {
    const [, first, rest] = /^(?:mcp__)?([\w-]+?)(?:\/|__|\.|:)([\w.:/-]+)$/.exec(whole) ?? []
    if (first === undefined || rest === undefined) break
    tools.push(...on([first, outer, null], rest))
    whole = rest
  }
  return tools
}

function on(servers: readonly (string | null)[], name: string): InnerTool[] {
  return [...new Set(servers)].map((server) => ({ server, name }))
}
