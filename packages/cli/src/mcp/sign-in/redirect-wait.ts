import { CountersignError, minuteText } from '@countersign/core'
import type { Redirect, RedirectAnswer } from '@countersign/mcp'
import { systemClock } from '@countersign/node'
import type { Io } from '../../terminal/io.ts'

/** Waits for the browser to come back, and shows for how long still. */
export async function waitForBrowser(redirect: Redirect, ms: number, io: Io): Promise<RedirectAnswer> {
  const end = systemClock.monotonic() + ms
  const isDrawn = io.errorColor // else nothing is drawn over: a line a minute
  const show = (): void => {
    const words = `waiting for you in the browser, ${clockText(end - systemClock.monotonic())} left (Ctrl+C ends it)`
    io.stderr.write(isDrawn ? `\r${words}\x1b[K` : `${words}\n`)
  }
  show()
  const ticking = setInterval(show, isDrawn ? 1_000 : 60_000)
  const answer = await redirect.wait(ms).finally(() => clearInterval(ticking))
  if (isDrawn) io.stderr.write('\r\x1b[K')
  if (answer !== null) return answer
  throw new CountersignError('CS_MCP_SIGN_IN', 'the sign-in was not done in time, and nothing was kept; run it again')
}

/** `4:59` */
function clockText(ms: number): string {
  return minuteText(Math.max(0, Math.ceil(ms / 1000)))
}
