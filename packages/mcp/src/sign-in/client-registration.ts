import { CountersignError, safeText } from '@countersign/core'
import { RegistrationRejectedError, registerClient } from '@modelcontextprotocol/client'
import type { BoundedFetch } from './bounded-fetch.ts'
import type { FoundGiver } from './discover-issuer.ts'
import { failed } from './error.ts'
import type { Redirect } from './redirect-listener.ts'
import type { TokenClient } from './sign-in-store.ts'

/** A client that is registered now. Each sign-in by its own: the address it comes back to has another port each time. */
export async function registerNow(
  { metadata }: FoundGiver,
  { url }: Redirect,
  scope: string | undefined,
  ask: BoundedFetch,
): Promise<TokenClient> {
  const { issuer } = metadata
  if (metadata.registration_endpoint === undefined)
    throw failed(`\`${safeText(issuer)}\` registers nobody by itself; register a client there and give \`--client-id\``)
  try {
    const made = await registerClient(issuer, {
      metadata,
      clientMetadata: {
        client_name: 'Countersign',
        redirect_uris: [url],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        application_type: 'native',
        token_endpoint_auth_method: 'none',
      },
      fetchFn: ask,
      ...(scope === undefined ? {} : { scope }),
    })
    return {
      id: made.client_id,
      secret: made.client_secret ?? null,
      method: made.token_endpoint_auth_method ?? null,
    }
  } catch (error) {
    if (error instanceof CountersignError) throw error
    const status = error instanceof RegistrationRejectedError ? ` (${error.status})` : ''
    throw failed(
      `\`${safeText(issuer)}\` did not register us${status}; register a client there and give \`--client-id\``,
    )
  }
}
