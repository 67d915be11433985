import { CountersignError } from '@countersign/core'
import { systemCode } from '@countersign/node'
import { failed } from './error.ts'
import { loadOAuth } from './load-oauth.ts'
import type { KeptSignIn, SignInPlace } from './sign-in-store.ts'

/** What a place holds, and its mark at that moment. */
export interface Found {
  readonly kept: KeptSignIn | null
  readonly mark: string
}

/** Renews the sign-in of one place. */
export interface KeptRenewal {
  /** Whether something was got that is not on disk yet: then that is tried again, and nobody else is asked. */
  readonly isOwed: boolean
  /** What is kept instead of this token: what somebody else got meanwhile, or what is got now. Throws when neither. */
  instead(old: string): Promise<Found>
}

/** Whether it is time for another token. */
export function isDue({ renewAt }: KeptSignIn, now: number): boolean {
  return renewAt !== null && now > renewAt
}

export function createKeptRenewal(place: SignInPlace, now: () => number): KeptRenewal {
  let owed: { readonly old: string; readonly next: KeptSignIn } | null = null

  /** INVARIANT: on disk before it is used: the one before it may be worth nothing from now on. */
  function keep(next: KeptSignIn): Found {
    try {
      place.write(next)
    } catch (error) {
      if (error instanceof CountersignError) throw error
      throw failed(
        `the renewed sign-in cannot be kept (${systemCode(error) ?? 'unknown'}); make room for it in the home`,
      )
    }
    owed = null
    return { kept: next, mark: place.mark() }
  }

  return {
    get isOwed() {
      return owed !== null
    },
    /** INVARIANT: one at a time, here and in every other process: many who give tokens take two uses of one for a theft. */
    instead: (old) =>
      place.alone(async () => {
        const mark = place.mark()
        const kept = place.read()
        if (kept?.accessToken !== owed?.old) owed = null // a person signed in again or out, or another process was faster
        if (owed !== null) return keep(owed.next)
        if (kept === null || (kept.accessToken !== old && !isDue(kept, now()))) return { kept, mark }
        const got = await (await loadOAuth()).renewSignIn(kept, now())
        owed = { old: kept.accessToken, next: got === 'over' ? { ...kept, refreshToken: null } : got }
        return keep(owed.next)
      }),
  }
}
