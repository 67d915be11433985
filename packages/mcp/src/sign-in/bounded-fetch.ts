import { CountersignError, safeText } from '@countersign/core'
import { isAllowedUrl, signInError } from './safe-url.ts'

const TIMEOUT_MS = 15_000
const MAX_BYTES = 1024 * 1024

export type BoundedFetch = (input: string | URL, init?: RequestInit) => Promise<Response>

/**
 * Fetches sign-in endpoints: only where a token would be safe, with a timeout and a size limit (L10). Redirects are
 * returned; whoever follows one calls this again.
 */
export function boundedFetch(server: URL): BoundedFetch {
  return async (input, init) => {
    const url = new URL(input)
    if (!isAllowedUrl(url, server))
      throw signInError(
        `the server leads to \`${safeText(url.origin)}\`, where a sign-in is not safe; contact its owner`,
      )
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const answer = await fetch(url, { ...init, redirect: 'manual', signal })
      const { status, headers } = answer
      const body = await bytesOf(answer)
      return new Response(body.length === 0 ? null : body, { status, headers })
    } catch (error) {
      if (error instanceof CountersignError) throw error
      throw signInError(`\`${safeText(url.host)}\` cannot be reached (${reasonOf(error)}); try again`)
    }
  }
}

async function bytesOf(answer: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of answer.body ?? []) {
    length += part.length
    if (length > MAX_BYTES) throw signInError('the server’s sign-in metadata is too large; contact its owner')
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}

/** Why a request signInError, in one word; never its content. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'timeout'
  for (let one: unknown = error; one instanceof Error; one = one.cause)
    if ('code' in one && typeof one.code === 'string') return safeText(one.code)
  return 'no connection'
}
