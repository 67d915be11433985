import { userInfo } from 'node:os'
import { CountersignError, minuteText, parseDuration, safeText } from '@countersign/core'
import {
  listenForRedirect,
  loadOAuth,
  openSignInStore,
  type Redirect,
  type RedirectAnswer,
  readSignInUrl,
  redactUrls,
  type SignInQuestion,
  type StoredSignIn,
  URL_VARIABLE,
} from '@countersign/mcp'
import { systemClock } from '@countersign/node'
import { timeText } from '@countersign/terminal/card'
import { wholeNumber } from '../../arguments/flag-values.ts'
import { openBrowser } from '../../home/open-browser.ts'
import { type OpenedJournal, withJournal } from '../../journal/open-journal.ts'
import { recordEntry } from '../../journal/record-entry.ts'
import { type Io, print, printJson, say } from '../../terminal/io.ts'
import { sayText } from '../../terminal/layout.ts'
import { isTyped } from '../../terminal/typed-confirmation.ts'

export interface SignInFlags {
  readonly clientId?: string
  readonly issuer?: string
  readonly allowHost?: readonly string[]
  readonly scope?: string
  readonly port?: string
  readonly wait: string
  /** False when `--no-open` was given. */
  readonly open: boolean
}

const SECRET_VARIABLE = 'COUNTERSIGN_MCP_CLIENT_SECRET'
const LONGEST_WAIT_MS = 3_600_000

/** Signs a person in to a server in their browser, and stores the tokens for the proxy. */
export async function signIn(given: string | undefined, flags: SignInFlags, io: Io): Promise<void> {
  // INVARIANT: L8, a sign-in gives askers new access, so only a person can make it.
  if (!io.isTty.stdin || !io.isTty.stderr)
    throw new CountersignError('CS_NO_INTERFACE', 'signing in needs a terminal; run this in one')
  const url = signInUrl(given, io)
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
): Promise<StoredSignIn> {
  const { startSignIn } = await loadOAuth()
  const client = flags.clientId === undefined ? null : { id: flags.clientId, secret: io.env[SECRET_VARIABLE] ?? null }
  const shown = redactUrls(url.href)
  const begun = await startSignIn(url, redirect, {
    client,
    scope: flags.scope ?? null,
    issuer: flags.issuer ?? null,
    hosts: (flags.allowHost ?? []).map((host) => host.toLowerCase()),
    confirm: (asked) => askOrigins(asked, shown, io),
  })
  const { issuer, page, tokens } = begun.origins
  const whose = page === issuer ? page : `${page}, for ${issuer}`
  sayText(io, safeText(`Sign in to ${shown} at ${whose}. Your consent there goes to ${tokens}:`))
  const showLink = io.json ? say : print // with `--json`, stdout holds only the result
  showLink(io, safeText(begun.link))
  if (flags.open && io.isTty.stdout)
    openBrowser('sign-in', { link: begun.link, expiresAt: systemClock.now() + waitMs }, home, io)
  const answer = await waitForBrowser(redirect, waitMs, io)
  return begun.finish(answer, systemClock.now())
}

async function keep(kept: StoredSignIn, url: URL, journal: OpenedJournal): Promise<void> {
  const store = openSignInStore(journal.home, url, journal.crypto)
  const { authorizationServer, scope } = kept
  const about = { address: redactUrls(url.href), issuer: authorizationServer.issuer, scope, by: userInfo().username }
  await recordEntry(journal, { kind: 'server-signed-in', call: null, ...about })
  await store.withLock(async () => store.write(kept))
}

/** Prints the issuer, the scope and the expiry; never a token. */
function tell({ url, authorizationServer, scope, expiresAt, refreshToken }: StoredSignIn, io: Io): void {
  const isRenewed = refreshToken !== null
  if (io.json) {
    printJson(io, { server: redactUrls(url), issuer: authorizationServer.issuer, scope, until: expiresAt, isRenewed })
    return
  }
  const until = expiresAt === null ? 'with no expiry' : `until ${timeText(expiresAt)}`
  const then = isRenewed ? ' (renewed automatically)' : expiresAt === null ? '' : '; then sign in again'
  sayText(io, safeText(`signed in to ${redactUrls(url)} at ${authorizationServer.issuer}, ${until}${then}`))
  sayText(io, safeText(`scope: ${scope ?? 'the server’s default'}`))
  say(io, 'the proxy uses it from now on; to end it: `countersign mcp sign-out`')
}

function waitOf(text: string): number {
  const ms = parseDuration(text)
  if (ms !== null && ms > 0 && ms <= LONGEST_WAIT_MS) return ms
  throw new CountersignError(
    'CS_USAGE',
    `\`--wait\` must be at most an hour, such as 90s or 5m; not \`${safeText(text)}\``,
  )
}

/** The URL of the server: from the command line, else from the environment. */
export function signInUrl(given: string | undefined, io: Io): URL {
  const address = given ?? io.env[URL_VARIABLE]
  if (address === undefined)
    throw new CountersignError('CS_USAGE', `name the server’s URL, or set it in \`${URL_VARIABLE}\``)
  return readSignInUrl(address)
}

/** Asks a person whether the hosts of a sign-in belong together: the server chose them, and nobody else can tell. */
async function askOrigins({ origins, foreign }: SignInQuestion, server: string, io: Io): Promise<boolean> {
  const rows: readonly (readonly [string, string | null])[] = [
    ['authorization server', origins.issuer],
    ['consent page', origins.page],
    ['token endpoint', origins.tokens],
    ['client registration', origins.registration],
    ['token revocation', origins.revocation],
  ]
  const why =
    foreign.length > 0
      ? `${server} names more than one host for its sign-in:`
      : `${server} names the hosts that will receive your client id, and its secret if it has one:`
  sayText(io, safeText(why))
  for (const [what, where] of rows) if (where !== null) say(io, safeText(`  ${what.padEnd(22)}${where}`))
  const { host } = new URL(origins.tokens)
  say(io, 'If these hosts do not belong together, somebody else may get your access.')
  const otherwise = 'confirming the hosts needs a terminal; or name them with `--issuer` and `--allow-host`'
  return isTyped(host, `To continue, type the host of the token endpoint (${safeText(host)}): `, io, otherwise)
}

/** Waits for the browser's redirect, and shows the time left. */
async function waitForBrowser(redirect: Redirect, ms: number, io: Io): Promise<RedirectAnswer> {
  const end = systemClock.monotonic() + ms
  const isRedrawn = io.errorColor // otherwise one line a minute
  const show = (): void => {
    const left = minuteText(Math.max(0, Math.ceil((end - systemClock.monotonic()) / 1000)))
    const words = `waiting for you in the browser, ${left} left (Ctrl+C to cancel)`
    io.stderr.write(isRedrawn ? `\r${words}\x1b[K` : `${words}\n`)
  }
  show()
  const timer = setInterval(show, isRedrawn ? 1_000 : 60_000)
  const answer = await redirect.wait(ms).finally(() => clearInterval(timer))
  if (isRedrawn) io.stderr.write('\r\x1b[K')
  if (answer !== null) return answer
  throw new CountersignError('CS_MCP_SIGN_IN', 'the sign-in timed out, and nothing was stored; run it again')
}
