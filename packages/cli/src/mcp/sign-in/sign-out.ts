import { userInfo } from 'node:os'
import { safeText } from '@countersign/core'
import { loadOAuth, openSignInStore, redactUrls, type SignInStore, type StoredSignIn } from '@countersign/mcp'
import { withJournal } from '../../journal/open-journal.ts'
import { recordEntry } from '../../journal/record-entry.ts'
import { type Io, printJson, say } from '../../terminal/io.ts'
import { sayText } from '../../terminal/layout.ts'
import { signInUrl } from './sign-in.ts'

/** What the authorization server did. */
type Revoked = 'revoked' | 'not-offered' | 'failed'

/** Revokes the tokens at the authorization server if possible, and deletes them here in any case. */
export async function signOut(given: string | undefined, io: Io): Promise<void> {
  const url = signInUrl(given, io)
  const server = redactUrls(url.href)
  await withJournal(io, async (journal) => {
    const store = openSignInStore(journal.home, url, journal.crypto)
    if (store.version() === '') {
      if (io.json) return printJson(io, { server, signedOut: false })
      return sayText(io, safeText(`not signed in to ${server}`))
    }
    const { kept, revoked } = await store.withLock(async () => {
      const kept = readable(store)
      const issuer = kept?.authorizationServer.issuer ?? null
      const about = { address: server, issuer, scope: kept?.scope ?? null, by: userInfo().username }
      await recordEntry(journal, { kind: 'server-signed-out', call: null, ...about })
      const revoked = kept === null ? 'failed' : await revoke(kept)
      store.remove()
      return { kept, revoked }
    })
    if (io.json) return printJson(io, { server, signedOut: true, revoked })
    sayText(io, safeText(`signed out of ${server}`))
    if (revoked !== 'revoked') say(io, safeText(revocationAdvice(revoked, kept)))
  })
}

/** An unreadable sign-in is deleted as well. */
function readable(store: SignInStore): StoredSignIn | null {
  try {
    return store.read()
  } catch {
    return null
  }
}

async function revoke(kept: StoredSignIn): Promise<Revoked> {
  const { revokeSignIn } = await loadOAuth()
  return revokeSignIn(kept).then(
    (done): Revoked => (done ? 'revoked' : 'not-offered'),
    (): Revoked => 'failed',
  )
}

function revocationAdvice(revoked: Revoked, kept: StoredSignIn | null): string {
  const where = kept === null ? 'the authorization server' : kept.authorizationServer.issuer
  return revoked === 'failed'
    ? `its tokens could not be revoked; revoke them at ${where}`
    : `tokens cannot be revoked from here; revoke them at ${where} if somebody may have copied them`
}
