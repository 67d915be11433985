import { hash } from 'node:crypto'
import type { Call, JsonObject, Outcome, Refusal, Ticket } from '@countersign/core'

/** The version of the line protocol between an asker and the service. Another one is refused with the fix. */
export const PROTOCOL = 1

/** One line may be this long; a longer one ends the connection. INVARIANT: L10. */
export const MAX_LINE_BYTES = 1024 * 1024

/** The first line of a client. */
export interface AskerHello {
  readonly protocol: number
  readonly version: string
  /** The folder it works in, absolute; fixed for the session. */
  readonly workspace: string
  /** What it calls itself: a label, never an identity. */
  readonly label?: string
  /** Over TCP: the token of the asking side. */
  readonly token?: string
  /** A secret of the asker's own: with it, it takes up its session on another connection, here or at another service. */
  readonly resume?: string
}

/** What the service answers to it. */
export interface ServiceHello {
  readonly protocol: number
  readonly version: string
  readonly session: string
  /** The session can be taken up again with the secret of the hello. */
  readonly resumes?: true
  /** The service's home, by `homeMark`: a test of the protection can tell whether it reached this gate. */
  readonly home: string
  /** Files and folders of the program that runs: a test of the protection can tell whether this asker could change them. */
  readonly program?: readonly string[]
}

/** A home as askers may know it: enough to recognise its path, not to learn it. */
export function homeMark(dir: string): string {
  return hash('sha256', `countersign/home/v1\n${dir}`, 'hex')
}

/** A permit as it travels: the arguments to run, exactly as approved. It is spent already; its outcome is to be told. */
export interface RemotePermit {
  readonly kind: 'permit'
  readonly callId: string
  readonly callDigest: string
  readonly args: JsonObject
  readonly approvedBy: string | null
}

/**
 * A ticket as it travels: with the key that the service made for it. SECURITY: A10, whoever only guesses an id can neither
 * collect nor withdraw another's call; and it is collected in the workspace it was handed in for.
 */
export interface RemoteTicket extends Ticket {
  readonly key: string
}

/** What an asker wants, after the hello. */
export type AskerLine = {
  readonly id: number
} /** `again`: the call was sent before, and its answer never came. Only in a session that can be taken up. */ & (
  | { readonly do: 'ask'; readonly call: Call; readonly again?: true }
  | { readonly do: 'submit'; readonly call: Call }
  | { readonly do: 'wait'; readonly callId: string; readonly key: string }
  | { readonly do: 'withdraw'; readonly callId: string; readonly key: string }
  | { readonly do: 'settle'; readonly callId: string; readonly outcome: Outcome; readonly detail?: string }
  /** Takes back the ask or the wait with this id. */
  | { readonly do: 'cancel'; readonly of: number }
  | { readonly do: 'required'; readonly call: Call }
  /** The asker does not come back: what it asked is withdrawn at once. */
  | { readonly do: 'leave' }
)

/** What the service answers: any number of `held`, then exactly one of the others. */
export type ServiceLine =
  | { readonly hello: ServiceHello }
  | { readonly id: number; readonly held: { readonly callId: string; readonly expiresAt: number } }
  | { readonly id: number; readonly permit: RemotePermit }
  | { readonly id: number; readonly refusal: Refusal }
  | { readonly id: number; readonly ticket: RemoteTicket }
  | { readonly id: number; readonly required: boolean }
  | { readonly id: number; readonly done: true }
  | { readonly id: number | null; readonly error: { readonly code: string; readonly message: string } }
