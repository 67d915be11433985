import { CountersignError, safeText } from '@countersign/core'
import { failed } from './error.ts'
import { mayAsk } from './safe-address.ts'

const PATIENCE_MS = 15_000
const MAX_BYTES = 1024 * 1024

export type BoundedFetch = (input: string | URL, init?: RequestInit) => Promise<Response>

/**
 * Asks servers of sign-ins: only where a token would be safe, for so long, and for so much (L10). Redirects are given back
 * as they are; whoever follows one asks here again.
 */
export function boundedFetch(server: URL): BoundedFetch {
  return async (input, init) => {
    const url = new URL(input)
    if (!mayAsk(url, server))
      throw failed(`the server leads to \`${safeText(url.origin)}\`, where a sign-in is not safe; tell its owner`)
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS)
      const answer = await fetch(url, { ...init, redirect: 'manual', signal })
      const { status, headers } = answer
      const body = await bytesOf(answer)
      return new Response(body.length === 0 ? null : body, { status, headers })
    } catch (error) {
      if (error instanceof CountersignError) throw error
      throw failed(`\`${safeText(url.host)}\` cannot be reached (${reasonOf(error)}); try again`)
    }
  }
}

async function bytesOf(answer: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of answer.body ?? []) {
    length += part.length
    if (length > MAX_BYTES) throw failed('what the server says of its sign-in is too large; tell its owner')
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}

/** Why a request failed, in one word; never what was in it. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no answer in time'
  for (let one: unknown = error; one instanceof Error; one = one.cause)
    if ('code' in one && typeof one.code === 'string') return safeText(one.code)
  return 'no connection'
}
