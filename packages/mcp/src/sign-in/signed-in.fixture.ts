import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Home, openCrypto, openHome } from '@countersign/node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { type SignInOptions, startSignIn } from './authorization-flow.ts'
import type { OAuthServers } from './oauth-servers.fixture.ts'
import { listenForRedirect } from './redirect-listener.ts'
import { openSignInStore } from './sign-in-store.ts'
import { openStoredBearer } from './stored-bearer.ts'

const NOTHING: SignInOptions = { client: null, scope: null, issuer: null, hosts: [], confirm: async () => false }

/** Signs in like a person whose browser follows every redirect. */
export async function signInAt(
  servers: Pick<OAuthServers, 'server'>,
  wishes: Partial<SignInOptions> = {},
  before: (redirect: string) => void = () => {},
) {
  const redirect = await listenForRedirect(0)
  try {
    before(redirect.url)
    const begun = await startSignIn(new URL(servers.server), redirect, { ...NOTHING, ...wishes })
    const waiting = redirect.wait(5_000)
    const page = await fetch(begun.link)
    await page.text()
    if (page.status !== 200) throw new Error(`the page answered ${page.status}`)
    const answer = await waiting
    if (answer === null) throw new Error('nobody came back')
    return await begun.finish(answer, Date.now())
  } finally {
    await redirect.close()
  }
}

/** A home in which a person can be signed in to the server. */
export function signInHome({ server }: Pick<OAuthServers, 'server'>) {
  const dir = join(temporaryFolder(), 'home')
  mkdirSync(dir, { mode: 0o700 })
  const home = openHome(dir)
  const crypto = openCrypto(home)
  const store = openSignInStore(home, new URL(server), crypto)
  const said: string[] = []
  return {
    home,
    store,
    said,
    /** A proxy's own view of the home, as in a separate process. */
    bearer() {
      const say = (advice: string): void => void said.push(advice)
      const made = openStoredBearer({ home, crypto, url: new URL(server), command: 'countersign mcp sign-in', say })
      if (made === null) throw new Error('no bearer')
      return made
    },
  }
}

/** The file of the home's only sign-in. */
export function fileOf({ dir }: Home): string {
  const name = readdirSync(join(dir, 'mcp')).find((one) => one.endsWith('.sign-in.json'))
  return join(dir, 'mcp', name ?? '')
}
