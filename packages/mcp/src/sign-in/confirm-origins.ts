import { safeText } from '@countersign/core'
import type { FoundGiver } from './discover-issuer.ts'
import { failed } from './error.ts'
import { type GiverPlaces, placesOf, strangeHosts } from './issuer-origins.ts'
import type { TokenClient } from './sign-in-store.ts'

/** What a person says of the places of a sign-in. */
export interface PlaceWishes {
  /** A client that was registered by hand; else one is registered now. */
  readonly client: Pick<TokenClient, 'id' | 'secret'> | null
  /** Who is to give the tokens, as their metadata has it: nobody else does. */
  readonly issuer: string | null
  /** Hosts that belong to the issuer besides its own. */
  readonly hosts: readonly string[]
  /** SentRequest where only a person can say whether places belong together. Nothing was sent to them yet. */
  confirm(asked: SignInQuestion): Promise<boolean>
}

/** What a person is asked before a sign-in begins. */
export interface SignInQuestion {
  readonly places: GiverPlaces
  /** Hosts that are neither the issuer's own nor named; none where only the client is in question. */
  readonly strange: readonly string[]
}

/**
 * The places, if the person means them. SECURITY: A32 a client that was registered by hand, and its secret, are for the issuer
 * that it was registered with: the server's word for who that is does not do.
 */
export async function agreePlaces({ metadata }: FoundGiver, server: URL, wishes: PlaceWishes): Promise<GiverPlaces> {
  const { client, issuer, hosts } = wishes
  const places = placesOf(metadata, server, client === null)
  if (issuer !== null && plain(issuer) !== plain(metadata.issuer))
    throw failed(
      `the server has its people sign in at \`${safeText(metadata.issuer)}\`, which is not the issuer you named`,
    )
  const strange = strangeHosts(places).filter((host) => !hosts.includes(host))
  const isOpen = strange.length > 0 || (client !== null && issuer === null)
  if (isOpen && !(await wishes.confirm({ places, strange })))
    throw failed('nobody said that these places belong together; nothing was sent there, and nothing was kept')
  return places
}

/** An issuer, however its end was written. */
function plain(issuer: string): string {
  return URL.parse(issuer)?.href.replace(/\/$/, '') ?? issuer
}
