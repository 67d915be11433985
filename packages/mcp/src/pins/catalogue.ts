import type { Annotations, Json, JsonObject } from '@countersign/core'

/** A tool as its server advertised it, and as a person accepted it. */
export interface AdvertisedTool {
  readonly name: string
  /** Name, title, description, schemas and annotations: its hash is the pin. */
  readonly definition: Json
  readonly description: string | null
  readonly annotations: Annotations | null
}

/** Whether a tool may be asked for at all. */
export type ToolStanding =
  | { readonly kind: 'accepted'; readonly tool: AdvertisedTool }
  /** Changed, new or renamed since a person accepted this server's tools: not callable until accepted again. */
  | { readonly kind: 'quarantined'; readonly tool: AdvertisedTool; readonly why: string; readonly fix: string }
  | { readonly kind: 'unadvertised'; readonly why: string }

/** The tools of one server, from its own lists, against the pins. */
export interface Catalogue {
  /** Takes one page of a `tools/list` result and returns the page the client gets; throws where it is none. */
  take(result: JsonObject, page: { readonly cursor: string | null }): Promise<JsonObject>
  /** Where a tool stands now. Who says when it came shares a look at the pins that was made just now, and after that. */
  find(name: string, since?: number): ToolStanding
  /** Notes that a call has come. */
  arrive?(): number
}
