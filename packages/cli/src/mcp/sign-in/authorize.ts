import { userInfo } from 'node:os'
import { CountersignError, parseDuration, safeText } from '@countersign/core'
import {
  coverAddresses,
  type KeptSignIn,
  listenForRedirect,
  loadOAuth,
  openSignInPlace,
  type Redirect,
} from '@countersign/mcp'
import { systemClock } from '@countersign/node'
import { timeText } from '@countersign/terminal/card'
import { wholeNumber } from '../../arguments/flag-values.ts'
import { refuseInside } from '../../home/nested-call-guard.ts'
import { openBrowser } from '../../home/open-browser.ts'
import { type OpenedJournal, withJournal } from '../../journal/open-journal.ts'
import { recordEntry } from '../../journal/record-entry.ts'
import { type Io, print, printJson, say } from '../../terminal/io.ts'
import { sayText } from '../../terminal/layout.ts'
import { askPlaces } from './confirm-origins.ts'
import { waitForBrowser } from './redirect-wait.ts'
import { signInAddress } from './server-address.ts'

export interface SignInFlags {
  readonly clientId?: string
  readonly issuer?: string
  readonly allowHost: readonly string[]
  readonly scope?: string
  readonly port?: string
  readonly wait: string
  /** False when `--no-open` was given. */
  readonly open: boolean
}

const SECRET_VARIABLE = 'COUNTERSIGN_MCP_CLIENT_SECRET'
const LONGEST_WAIT_MS = 3_600_000

/** Signs a person in to a server, in their browser, and keeps what the proxy needs. */
export async function signIn(given: string | undefined, flags: SignInFlags, io: Io): Promise<void> {
  refuseInside(io)
  // INVARIANT: L8, it gives askers a power that they did not have.
  if (!io.isTty.stdin || !io.isTty.stderr)
    throw new CountersignError('CS_NO_INTERFACE', 'a person signs in, on a terminal only; run this in one')
  const url = signInAddress(given, io)
  const waitMs = waitOf(flags.wait)
  const port = flags.port === undefined ? 0 : wholeNumber('--port', flags.port, 65_535)
  await withJournal(io, async (journal) => {
    const redirect = await listenForRedirect(port)
    try {
      const kept = await inBrowser(url, redirect, waitMs, flags, journal, io)
      await keep(kept, url, journal)
      tell(kept, io)
    } finally {
      await redirect.close()
    }
  })
}

async function inBrowser(
  url: URL,
  redirect: Redirect,
  waitMs: number,
  flags: SignInFlags,
  { home }: OpenedJournal,
  io: Io,
): Promise<KeptSignIn> {
  const { beginSignIn } = await loadOAuth()
  const client = flags.clientId === undefined ? null : { id: flags.clientId, secret: io.env[SECRET_VARIABLE] ?? null }
  const shown = coverAddresses(url.href)
  const begun = await beginSignIn(url, redirect, {
    client,
    scope: flags.scope ?? null,
    issuer: flags.issuer ?? null,
    hosts: flags.allowHost.map((host) => host.toLowerCase()),
    confirm: (asked) => askPlaces(asked, shown, io),
  })
  const { issuer, page, tokens } = begun.places
  const whose = page === issuer ? page : `${page}, for ${issuer}`
  sayText(io, safeText(`${shown} has its people sign in at ${whose}. What you agree to there is for ${tokens}:`))
  const showLink = io.json ? say : print // with `--json`, stdout is the result alone
  showLink(io, safeText(begun.link))
  if (flags.open && io.isTty.stdout)
    openBrowser('sign-in', { link: begun.link, expiresAt: systemClock.now() + waitMs }, home, io)
  const answer = await waitForBrowser(redirect, waitMs, io)
  return begun.finish(answer, systemClock.now())
}

async function keep(kept: KeptSignIn, url: URL, journal: OpenedJournal): Promise<void> {
  const place = openSignInPlace(journal.home, url, journal.crypto)
  const { giver, scope } = kept
  const about = { address: coverAddresses(url.href), issuer: giver.issuer, scope, by: userInfo().username }
  await recordEntry(journal, { kind: 'server-signed-in', call: null, ...about })
  await place.alone(async () => place.write(kept))
}

/** Never a token: who gave it, for what, and until when. */
function tell({ url, giver, scope, expiresAt, refreshToken }: KeptSignIn, io: Io): void {
  const isRenewed = refreshToken !== null
  if (io.json) {
    printJson(io, { server: coverAddresses(url), issuer: giver.issuer, scope, until: expiresAt, isRenewed })
    return
  }
  const until = expiresAt === null ? 'for as long as the server likes' : `until ${timeText(expiresAt)}`
  const then = isRenewed ? ', and renewed by itself' : expiresAt === null ? '' : '; then sign in again'
  sayText(io, safeText(`signed in to ${coverAddresses(url)} by ${giver.issuer}, ${until}${then}`))
  sayText(io, safeText(`it may be used for: ${scope ?? 'whatever the server gives without being asked'}`))
  say(io, 'the proxy uses it from now on; `countersign mcp sign-out` ends it')
}

function waitOf(text: string): number {
  const ms = parseDuration(text)
  if (ms !== null && ms > 0 && ms <= LONGEST_WAIT_MS) return ms
  throw new CountersignError('CS_USAGE', `\`--wait\` takes up to an hour, such as 90s or 5m; not \`${safeText(text)}\``)
}
