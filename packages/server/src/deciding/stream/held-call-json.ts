import { type HeldCallView, type RequestBody, summarizeHeld, viewJson } from '@countersign/core'

/** A view of up to so many bytes of JSON goes out whole; of a larger one its summary does. INVARIANT: L10. */
export const MAX_WHOLE_BYTES = 32 * 1024
/** What one list carries of whole views. INVARIANT: L10. */
export const MAX_LIST_BYTES = 4 * 1024 * 1024

/** A held call as a list or the stream carries it, written out: its view, or its summary with `view: null`. */
export interface HeldLine {
  /** The asker's session. */
  readonly session: string | null
  readonly json: string
}

/** One held call, written out both ways. */
export interface WrittenHeld {
  readonly requestDigest: string
  readonly session: string | null
  readonly bytes: number
  /** Null when it is too large, or was dropped. */
  readonly whole: string | null
  readonly short: string
}

/** A view as the stream tells of it. */
export function heldJson(view: HeldCallView): string {
  const whole = viewJson(view)
  if (whole.length <= MAX_WHOLE_BYTES / 3) return whole // a character has three bytes at most
  const bytes = Buffer.byteLength(whole)
  return bytes <= MAX_WHOLE_BYTES ? whole : JSON.stringify(summarizeHeld(view, bytes))
}

/** Writes a view out for lists. */
export function writeHeld(view: HeldCallView): WrittenHeld {
  const whole = viewJson(view)
  const bytes = Buffer.byteLength(whole)
  return {
    requestDigest: view.requestDigest,
    session: sessionOf(view),
    bytes,
    whole: bytes <= MAX_WHOLE_BYTES ? whole : null,
    short: JSON.stringify(summarizeHeld(view, bytes)),
  }
}

/** The session of the asker whose call this is. */
export function sessionOf({ request }: HeldCallView): string | null {
  return (JSON.parse(request) as RequestBody).call.session
}
