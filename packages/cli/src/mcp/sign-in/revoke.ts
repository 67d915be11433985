import { userInfo } from 'node:os'
import { safeText } from '@countersign/core'
import { coverAddresses, type KeptSignIn, loadOAuth, openSignInPlace, type SignInPlace } from '@countersign/mcp'
import { refuseInside } from '../../home/nested-call-guard.ts'
import { withJournal } from '../../journal/open-journal.ts'
import { recordEntry } from '../../journal/record-entry.ts'
import { type Io, printJson, say } from '../../terminal/io.ts'
import { sayText } from '../../terminal/layout.ts'
import { signInAddress } from './server-address.ts'

/** How it went where the tokens were given. */
type Revoked = 'revoked' | 'not-offered' | 'failed'

/** Takes away what a sign-in left: first where it was given, as far as that can be done, then here in any case. */
export async function signOut(given: string | undefined, io: Io): Promise<void> {
  refuseInside(io)
  const url = signInAddress(given, io)
  const server = coverAddresses(url.href)
  await withJournal(io, async (journal) => {
    const place = openSignInPlace(journal.home, url, journal.crypto)
    if (place.mark() === '') {
      if (io.json) return printJson(io, { server, signedOut: false })
      return sayText(io, safeText(`nobody was signed in to ${server}`))
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
    if (revoked !== 'revoked') say(io, safeText(leftWords(revoked, kept)))
  })
}

/** What cannot be read is taken away as well. */
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

function leftWords(revoked: Revoked, kept: KeptSignIn | null): string {
  const where = kept === null ? 'where you signed in' : kept.giver.issuer
  return revoked === 'failed'
    ? `it could not be taken back there; end it at ${where} as well`
    : `it cannot be taken back from here; end it at ${where} if somebody may have copied it`
}
