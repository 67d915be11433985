import type { InnerCall } from './inner-calls.ts'

/** What is longer names nothing. */
const LONGEST = 128

export interface InnerTool {
  readonly server: string | null
  readonly name: string
}

/**
 * Every tool that a name inside a call may mean, the likeliest first: rules for any of them hold. SECURITY: A1, a server
 * that the call names is one more to look at and hides none, since nobody knows whether the tool around it heeds that key.
 */
export function innerTools({ name, server, around }: InnerCall, outer: string | null): readonly InnerTool[] {
  const split = /^(?:mcp__)?([\w-]+?)(?:\/|__|\.|:)([\w.:/-]+)$/.exec(name)
  const [, first, rest] = split ?? []
  const parts = first === undefined || rest === undefined ? [] : [{ server: first, name: rest }]
  const given = server !== null && server.length <= LONGEST ? server : null
  const servers = new Set([given ?? around ?? outer, outer, around, null])
  return [...[...servers].map((one) => ({ server: one, name })), ...parts]
}
