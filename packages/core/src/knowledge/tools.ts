import type { Kind } from '../call/descriptor.ts'
import type { RiskLevel } from '../risk/report/level.ts'
import { HOST_TOOLS, type OBJECTS, VERBS } from './compiled/tools.ts'

/** What an action does, as far as a verb shows it. */
export type Effect = 'read' | 'look' | 'small' | 'write' | 'run' | 'remote' | 'send' | 'pay' | 'destroy' | 'admin'

/** A row of `verbs.yaml` under `effects`. */
export interface EffectRow {
  readonly level: RiskLevel
  readonly reason: string
  /** Whether an effect of at least high can be undone, if the level alone doesn't show it. */
  readonly undo?: 'no'
}

/** A row of `verbs.yaml`. */
export interface VerbRow {
  readonly kind: Kind
  readonly effect: Effect
  readonly verbs: readonly string[]
  readonly line: number
}

/** The name of a list in `objects.yaml`. */
export type ObjectList = keyof typeof OBJECTS

/** A row of `verb-objects.yaml`. */
export interface VerbObjectRow {
  readonly verbs: readonly string[]
  readonly object?: readonly string[]
  readonly objectIn?: readonly ObjectList[]
  readonly word?: readonly string[]
  readonly wordIn?: readonly ObjectList[]
  readonly lastWord?: readonly string[]
  readonly phrase?: string
  readonly effect: Effect
  readonly line: number
}

/** A row of `host-tools.yaml`, with what `like` adds. The file explains the keys. */
export interface HostTool {
  readonly id: string
  readonly names: readonly string[]
  readonly kind: Kind
  readonly paths?: readonly string[]
  readonly glob?: string
  readonly command?: readonly string[]
  readonly workingDirectory?: readonly string[]
  readonly patch?: boolean
  readonly exactWords?: boolean
  readonly program?: string
  readonly kindBy?: { readonly argument: string; readonly kinds: Readonly<Record<string, Kind>> }
  readonly volatile?: readonly string[]
  readonly line: number
}

let verbRows: ReadonlyMap<string, VerbRow> | undefined
let hostTools: ReadonlyMap<string, HostTool> | undefined

/** The row of a verb; undefined for any other word. */
export function findVerbRow(word: string): VerbRow | undefined {
  verbRows ??= new Map(VERBS.verbs.flatMap((row) => row.verbs.map((verb): [string, VerbRow] => [verb, row])))
  return verbRows.get(word)
}

/** Looks up a host's tool by its bare name, in any case. SECURITY: A20, never ask this about a tool of a server. */
export function findHostTool(name: string): HostTool | undefined {
  hostTools ??= new Map(HOST_TOOLS.tools.flatMap((row) => row.names.map((one): [string, HostTool] => [one, row])))
  return hostTools.get(name.toLowerCase())
}
