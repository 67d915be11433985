import { safeText } from '@countersign/core'
import type { SignInQuestion } from '@countersign/mcp'
import { type Io, say } from '../../terminal/io.ts'
import { sayText } from '../../terminal/layout.ts'
import { isTyped } from '../../terminal/typed-confirmation.ts'

/** Asks a person whether the places of a sign-in belong together: the server chose them, and nobody else knows. */
export async function askPlaces({ places, strange }: SignInQuestion, server: string, io: Io): Promise<boolean> {
  const rows: readonly (readonly [string, string | null])[] = [
    ['who gives the tokens', places.issuer],
    ['the page where you agree', places.page],
    ['where your agreement goes', places.tokens],
    ['where a client is registered', places.registration],
    ['where tokens are taken back', places.revocation],
  ]
  const why =
    strange.length > 0
      ? `${server} names more than one host for its sign-in:`
      : `${server} says where your client, and its secret if it has one, are to be used:`
  sayText(io, safeText(why))
  for (const [what, where] of rows) if (where !== null) say(io, safeText(`  ${what.padEnd(29)}${where}`))
  const { host } = new URL(places.tokens)
  say(io, 'If they do not belong together, somebody else gets what you agree to on that page.')
  const otherwise = 'a person says whether these places belong together; name them with `--issuer` and `--allow-host`'
  return isTyped(host, `To go on, type the host that your agreement goes to (${safeText(host)}): `, io, otherwise)
}
