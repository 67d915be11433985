import { hash, randomBytes } from 'node:crypto'
import { CountersignError } from '@countersign/core'
import { type Home, readOwnFile, replaceOwnFile, signInsPath } from '@countersign/node'

/** How long a one-time link can be used. */
export const TICKET_MS = 30_000
/** How long a browser stays signed in. */
export const SESSION_MS = 12 * 3_600_000
const MOST_TICKETS = 100
/** INVARIANT: L10, so many browsers are signed in; for one more, the first to expire is signed out. */
export const MOST_SESSIONS = 200
const MAX_BYTES = 262_144

/** A signed-in browser. It may read; to decide it still needs an enrolled key. */
export interface SignedIn {
  readonly id: string
  readonly expiresAt: number
  /** The approver whose signature or enrolment came from here; null before the first. */
  readonly approver: string | null
}

/** Tickets and the sessions they are exchanged for. */
export interface SignIn {
  /** A ticket for one sign-in, for half a minute. */
  ticket(): { readonly ticket: string; readonly expiresAt: number }
  /** Spends a ticket; the token that the browser keeps in its cookie. Throws CS_SIGN_IN. */
  enter(ticket: string): Soon<{ readonly token: string; readonly session: SignedIn }>
  find(token: string | undefined): Soon<SignedIn | undefined>
  /** Whether a session found before still lives. */
  lives(id: string): boolean
  /** Calls `ended` once, when a session is left or too old; the returned function ends the watch. */
  watch(id: string, ended: () => void): () => void
  /** Remembers whose key a session works with. */
  note(id: string, approver: string): Soon<void>
  leave(id: string): Soon<void>
  /** Ends every sign-in of which this is true; how many there were. */
  leaveAll(which: (session: SignedIn) => boolean): Soon<number>
}

/** At once for a service that has its store alone. */
type Soon<T> = T | Promise<T>

/**
 * Sign-in by a link from the terminal. SECURITY: A18 a ticket works once and briefly; the token is in no address and is
 * kept here only by its hash, also on disk, so that a restart of the service signs nobody out.
 */
export function openSignIn(home: Home, now: () => number, sessionMs: number = SESSION_MS) {
  const path = signInsPath(home)
  const tickets = new Map<string, number>()
  const sessions = new Map(readSessions(path).map((one) => [one.id, one]))
  const watches = new Map<string, Set<() => void>>()

  function alive(id: string): SignedIn | undefined {
    const found = sessions.get(id)
    return found !== undefined && found.expiresAt > now() ? found : undefined
  }

  /** INVARIANT: whoever watches a session hears of its end at once, however it ends. */
  function drop(id: string): void {
    sessions.delete(id)
    for (const ended of [...(watches.get(id) ?? [])]) ended()
  }

  function keep(): void {
    for (const [id] of sessions) if (alive(id) === undefined || sessions.size > MOST_SESSIONS) drop(id)
    replaceOwnFile(path, `${JSON.stringify([...sessions.values()])}\n`)
  }

  return {
    ticket() {
      const ticket = randomBytes(24).toString('base64url')
      const expiresAt = now() + TICKET_MS
      tickets.set(hashOf(ticket), expiresAt)
      const [eldest] = tickets.size > MOST_TICKETS ? tickets.keys() : []
      if (eldest !== undefined) tickets.delete(eldest)
      return { ticket, expiresAt }
    },
    enter(ticket: string) {
      const key = hashOf(ticket)
      const expiresAt = tickets.get(key)
      tickets.delete(key)
      if (expiresAt === undefined || expiresAt <= now()) throw spentTicket()
      const token = randomBytes(32).toString('base64url')
      const session = { id: hashOf(token), expiresAt: now() + sessionMs, approver: null }
      sessions.set(session.id, session)
      keep()
      return { token, session }
    },
    find: (token: string | undefined) => (token === undefined ? undefined : alive(hashOf(token))),
    lives: (id: string) => alive(id) !== undefined,
    watch(id: string, ended: () => void) {
      const mine = watches.get(id) ?? new Set()
      const stop = (): void => {
        clearTimeout(timer)
        mine.delete(once)
        if (mine.size === 0) watches.delete(id)
      }
      const once = (): void => {
        stop()
        ended()
      }
      const timer = setTimeout(once, Math.max(0, (alive(id)?.expiresAt ?? 0) - now())).unref()
      mine.add(once)
      watches.set(id, mine)
      return stop
    },
    note(id: string, approver: string) {
      const session = sessions.get(id)
      if (session === undefined || session.approver === approver) return
      sessions.set(id, { ...session, approver })
      keep()
    },
    leave(id: string) {
      drop(id)
      keep()
    },
    leaveAll(which: (session: SignedIn) => boolean) {
      const gone = [...sessions.values()].filter((one) => alive(one.id) !== undefined && which(one))
      for (const { id } of gone) drop(id)
      if (gone.length > 0) keep()
      return gone.length
    },
  } satisfies SignIn
}

/** The error of a one-time link that is over. */
export function spentTicket(): CountersignError {
  return new CountersignError('CS_SIGN_IN', 'this link was used or is too old; run `countersign inbox` for a new one')
}

/** What is kept of a token. */
export function hashOf(secret: string): string {
  return hash('sha256', `countersign/sign-in/v1\n${secret}`, 'hex')
}

/** What cannot be read signs everybody out, and nobody in. */
function readSessions(path: string): readonly SignedIn[] {
  try {
    const list: unknown = JSON.parse(readOwnFile(path, MAX_BYTES, 'CS_HOME') ?? '[]')
    return Array.isArray(list) ? list.filter(isSignedIn) : []
  } catch {
    return []
  }
}

/** Whether a value that was read is a session. */
export function isSignedIn(value: unknown): value is SignedIn {
  if (typeof value !== 'object' || value === null) return false
  const { id, expiresAt, approver } = value as { readonly [field: string]: unknown }
  return typeof id === 'string' && typeof expiresAt === 'number' && (approver === null || typeof approver === 'string')
}
