import type { Annotations, Json, JsonObject } from '@countersign/core'

/** A tool as its server listed it. */
export interface AdvertisedTool {
  readonly name: string
  /** Name, title, description, schemas and annotations; its hash is the pin. */
  readonly definition: Json
  readonly description: string | null
  readonly annotations: Annotations | null
}

/** Whether a tool may be called. */
export type ToolStatus =
  | { readonly kind: 'accepted'; readonly tool: AdvertisedTool }
  /** Changed, new or renamed since a person accepted this server’s tools: not callable until accepted. */
  | { readonly kind: 'quarantined'; readonly tool: AdvertisedTool; readonly why: string; readonly fix: string }
  | { readonly kind: 'unadvertised'; readonly why: string }

/** The tools of one server, compared with the pins. */
export interface Catalogue {
  /** Takes one page of a `tools/list` result and returns the page for the client; throws when the page is invalid. */
  take(result: JsonObject, page: { readonly cursor: string | null }): Promise<JsonObject>
  /** The status of a tool. Callers that pass `since` may reuse a check of the pins made after they arrived. */
  find(name: string, since?: number): ToolStatus
  /** Notes the arrival of a call, for `since`. */
  arrive?(): number
}

/** The cursor of the next page; null for an empty or repeated one. */
export function nextCursorOf({ nextCursor }: JsonObject, cursor: string | null): string | null {
  return typeof nextCursor !== 'string' || nextCursor === '' || nextCursor === cursor ? null : nextCursor
}
