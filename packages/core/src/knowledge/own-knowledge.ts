import type { Kind } from '../call/descriptor.ts'
import type { ProgramRow } from './programs.ts'

/** The rule of every own row: no rule of the built-in knowledge, which could stand for a known effect. */
export const OWN_RULE = 'own'

/** Whose knowledge a row is. */
export type OwnLayer = 'managed' | 'user' | 'project'

/** A tool's row. Lines and files are those of the file that states it. */
export interface ToolRow {
  readonly file: string
  readonly line: number
  readonly kind?: Kind
  readonly level: 'none' | 'low' | 'medium' | 'high' | 'critical'
  readonly undo?: 'yes' | 'partly' | 'no' | 'unknown'
  readonly effect: string
  readonly path?: readonly string[]
  readonly command?: string
  readonly url?: readonly string[]
  readonly target?: string
}

/** A row with the layer of its file. */
export interface OwnRow<Row> {
  readonly row: Row
  readonly layer: OwnLayer
}

/** The rows for one name. */
export interface OwnRows<Row> {
  /** They replace what the built-in knowledge says. Of several, the worst answer counts. */
  readonly replacing: readonly OwnRow<Row>[]
  /** They can only raise: rows of an organization or of a project that nobody trusted. */
  readonly raising: readonly OwnRow<Row>[]
}

/** What people taught the gate about their own programs and tools. Plain data, part of the policy in force. */
export interface OwnKnowledge {
  readonly programs: ReadonlyMap<string, OwnRows<ProgramRow>>
  /** By `toolKey`. */
  readonly tools: ReadonlyMap<string, OwnRows<ToolRow>>
}

/** The key of a tool, in any case. SECURITY: A20, a name with a slash is not a server's tool. */
export function toolKey(server: string | null, name: string): string {
  return JSON.stringify([server?.toLowerCase() ?? null, name.toLowerCase()])
}

/** The rows of a call's tool. */
export function toolRows(
  knowledge: OwnKnowledge | undefined,
  { server, name }: { readonly server: string | null; readonly name: string },
): OwnRows<ToolRow> | undefined {
  return knowledge === undefined || knowledge.tools.size === 0 ? undefined : knowledge.tools.get(toolKey(server, name))
}
