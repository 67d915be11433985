import { userInfo } from 'node:os'
import { safeText } from '@countersign/core'
import { coverAddresses, type KeptSignIn, loadOAuth, openSignInPlace, type SignInPlace } from '@countersign/mcp'
import { refuseInside } from '../../home/nested-call-guard.ts'
import { withJournal } from '../../journal/open-journal.ts'
import { recordEntry } from '../../journal/record-entry.ts'
import { type Io, printJson, say } from '../../terminal/io.ts'
import { sayText } from '../../terminal/layout.ts'
import { signInAddress } from './sign-in.ts'

/** What the authorization server did. */
type Revoked = 'revoked' | 'not-offered' | 'failed'

/** Revokes the tokens at the authorization server if possible, and deletes them here in any case. */
export async function signOut(given: string | undefined, io: Io): Promise<void> {
  refuseInside(io)
  const url = signInAddress(given, io)
  const server = coverAddresses(url.href)
  await withJournal(io, async (journal) => {
    const place = openSignInPlace(journal.home, url, journal.crypto)
    if (place.mark() === '') {
      if (io.json) return printJson(io, { server, signedOut: false })
      return sayText(io, safeText(`not signed in to ${server}`))
    }
    const { kept, revoked } = await place.alone(async () => {
      const kept = readable(place)
      const issuer = kept?.giver.issuer ?? null
      const about = { address: server, issuer, scope: kept?.scope ?? null, by: userInfo().username }
      await recordEntry(journal, { kind: 'server-signed-out', call: null, ...about })
      const revoked = kept === null ? 'failed' : await revoke(kept)
      place.remove()
      return { kept, revoked }
    })
    if (io.json) return printJson(io, { server, signedOut: true, revoked })
    sayText(io, safeText(`signed out of ${server}`))
    if (revoked !== 'revoked') say(io, safeText(revocationAdvice(revoked, kept)))
  })
}

/** An unreadable sign-in is deleted as well. */
function readable(place: SignInPlace): KeptSignIn | null {
  try {
    return place.read()
  } catch {
    return null
  }
}

async function revoke(kept: KeptSignIn): Promise<Revoked> {
  const { revokeSignIn } = await loadOAuth()
  return revokeSignIn(kept).then(
    (done): Revoked => (done ? 'revoked' : 'not-offered'),
    (): Revoked => 'failed',
  )
}

function revocationAdvice(revoked: Revoked, kept: KeptSignIn | null): string {
  const where = kept === null ? 'the authorization server' : kept.giver.issuer
  return revoked === 'failed'
    ? `its tokens could not be revoked; revoke them at ${where}`
    : `tokens cannot be revoked from here; revoke them at ${where} if somebody may have copied them`
}
