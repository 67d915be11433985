import { randomBytes } from 'node:crypto'
import type { SharedRows } from '@countersign/core'
import { isSame } from '../../wire/constant-time-equal.ts'
import {
  hashOf,
  isSignedIn,
  MOST_SESSIONS,
  SESSION_MS,
  type SignedIn,
  type SignIn,
  spentTicket,
  TICKET_MS,
} from './browser-sessions.ts'
import type { SharedSecret } from './shared-secret.ts'

const SESSION = 'sign-in:'
const USED = 'ticket:'
/** Longer than a ticket can be valid at any service, whose clocks differ. */
const USED_MS = 600_000
const LOOK_MS = 1_000
const NONCE_LENGTH = 32
const MAC_LENGTH = 43

/**
 * Sign-in at every service on a store: a browser that is signed in at one is signed in at all, and signed out at all.
 * SECURITY: A18 as for one service; a ticket works once wherever it is used.
 */
export function openSharedSignIn(rows: SharedRows, secret: SharedSecret, now: () => number): SignIn {
  /** When the sessions end that were found here. */
  const ends = new Map<string, number>()

  async function find(id: string): Promise<SignedIn | undefined> {
    const session = read(await rows.get(`${SESSION}${id}`))
    if (session === undefined || session.id !== id || session.expiresAt <= now()) {
      ends.delete(id)
      return undefined
    }
    ends.set(id, session.expiresAt)
    return session
  }

  async function keep(session: SignedIn): Promise<void> {
    await rows.set(`${SESSION}${session.id}`, JSON.stringify(session), session.expiresAt - now())
  }

  async function drop(id: string): Promise<void> {
    ends.delete(id)
    await rows.take(`${SESSION}${id}`)
  }

  async function all(): Promise<readonly SignedIn[]> {
    return [...(await rows.list(SESSION)).values()].flatMap((text) => read(text) ?? [])
  }

  const macOf = (nonce: string, expiry: string): string =>
    secret.derive('countersign/sign-in/v1', `${nonce}\n${expiry}`)

  return {
    ticket() {
      const nonce = randomBytes(24).toString('base64url')
      const expiresAt = now() + TICKET_MS
      const expiry = expiresAt.toString(36)
      return { ticket: `${nonce}${macOf(nonce, expiry)}${expiry}`, expiresAt }
    },
    async enter(ticket) {
      const nonce = ticket.slice(0, NONCE_LENGTH)
      const mac = ticket.slice(NONCE_LENGTH, NONCE_LENGTH + MAC_LENGTH)
      const expiry = ticket.slice(NONCE_LENGTH + MAC_LENGTH)
      const isGood = isSame(mac, macOf(nonce, expiry)) && Number.parseInt(expiry, 36) > now()
      if (!isGood || !(await rows.add(`${USED}${hashOf(nonce)}`, '', USED_MS))) throw spentTicket()
      const others = await all()
      for (const { id } of others
        .toSorted((a, b) => a.expiresAt - b.expiresAt)
        .slice(0, others.length - MOST_SESSIONS + 1))
        if (others.length >= MOST_SESSIONS) await drop(id)
      const token = randomBytes(32).toString('base64url')
      const session = { id: hashOf(token), expiresAt: now() + SESSION_MS, approver: null }
      await keep(session)
      return { token, session }
    },
    find: async (token) => (token === undefined ? undefined : find(hashOf(token))),
    lives: (id) => (ends.get(id) ?? 0) > now(),
    watch(id, ended) {
      let isOver = false
      const stop = (): void => {
        isOver = true
        clearInterval(timer)
      }
      const end = (): void => {
        if (isOver) return
        stop()
        ended()
      }
      const timer = setInterval(() => {
        if ((ends.get(id) ?? 0) <= now()) end()
        // A store that can't be read signs nobody out; the end of the session does.
        else
          find(id).then(
            (session) => session ?? end(),
            () => {},
          )
      }, LOOK_MS).unref()
      return stop
    },
    async note(id, approver) {
      const session = await find(id).catch(() => undefined)
      if (session === undefined || session.approver === approver) return
      await keep({ ...session, approver }).catch(() => {}) // it is noted with the next decision
    },
    leave: drop,
    async leaveAll(which) {
      const gone = (await all()).filter((one) => one.expiresAt > now() && which(one))
      for (const { id } of gone) await drop(id)
      return gone.length
    },
  }
}

function read(text: string | undefined): SignedIn | undefined {
  if (text === undefined) return undefined
  const value: unknown = JSON.parse(text)
  return isSignedIn(value) ? value : undefined
}
