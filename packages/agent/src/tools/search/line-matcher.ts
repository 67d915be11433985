import { Worker } from 'node:worker_threads'
import { RE2JS } from 're2js'
import { toolFailure } from '../definition/tool-failure.ts'

/** What to search for. */
export interface Sought {
  readonly pattern: string
  readonly regex: boolean
  readonly anyCase: boolean
}

/** An expression for the worker. */
export interface Expression {
  readonly pattern: string
  readonly anyCase: boolean
}

/** Lines for the worker, which stops after `most` matches. */
export interface MatchRequest {
  readonly lines: readonly string[]
  readonly most: number
}

export type MatchAnswer =
  | { readonly kind: 'ready' | 'malformed' }
  | { readonly kind: 'found'; readonly lines: readonly number[] }

/** Finds matching lines. */
export interface LineMatcher {
  /** Indexes of the first `most` matches; null on a timeout, after which the matcher is closed. */
  find(lines: readonly string[], most: number): Promise<readonly number[] | null>
  close(): void
}

/** The searched length of one line. */
export const MAX_SOUGHT = 20_000
const LONGEST_MS = 10_000
/** The time to start the thread and compile the pattern. */
const LONGEST_START_MS = 30_000
const MAX_MEGABYTES = 256

/** Opens a matcher. Plain text is matched here; an expression in a thread that can be stopped. */
export async function openLineMatcher(
  { pattern, regex, anyCase }: Sought,
  signal: AbortSignal,
  longestMs = LONGEST_MS,
): Promise<LineMatcher> {
  if (!regex && !anyCase) {
    const find = async (lines: readonly string[], most: number): Promise<readonly number[]> => {
      const found: number[] = []
      for (const [at, line] of lines.entries()) {
        if (found.length === most) break
        if (line.includes(pattern)) found.push(at)
      }
      return found
    }
    return { find, close() {} }
  }
  const thread = openThread({ pattern: regex ? pattern : RE2JS.quote(pattern), anyCase }, signal)
  const ready = await thread.answer(LONGEST_START_MS)
  if (ready?.kind !== 'ready') {
    thread.close()
    throw toolFailure(
      ready === null
        ? 'the pattern takes too long; make it simpler'
        : 'the pattern is not a valid RE2 expression; leave out `regex` to search for it as plain text',
    )
  }
  return {
    async find(lines, most) {
      thread.send({ lines: lines.map((line) => line.slice(0, MAX_SOUGHT)), most })
      const answer = await thread.answer(longestMs)
      if (answer === null) thread.close()
      return answer?.kind === 'found' ? answer.lines : null
    },
    close: thread.close,
  }
}

/** SECURITY: A25 RE2 is linear in the line, but the model chooses the factor: nested repetitions make it huge. */
function openThread(expression: Expression, signal: AbortSignal) {
  // The worker is beside this file, as source or built.
  const name = import.meta.url.endsWith('.ts') ? './search-worker.ts' : './search-worker.js'
  const worker = new Worker(new URL(name, import.meta.url), {
    workerData: expression,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES },
  })
  const close = (): void => void worker.terminate()
  worker.on('error', () => {})
  return {
    send: (request: MatchRequest): void => worker.postMessage(request),
    /** The next answer; null on a timeout or a crash. Throws when the search is stopped. */
    answer(mostMs: number): Promise<MatchAnswer | null> {
      return new Promise((resolve, reject) => {
        const done = (settle: () => void): void => {
          clearTimeout(timer)
          worker.off('message', onAnswer).off('exit', onEnd)
          signal.removeEventListener('abort', onAbort)
          settle()
        }
        const onAnswer = (answer: MatchAnswer): void => done(() => resolve(answer))
        const onEnd = (): void => done(() => resolve(null))
        const onAbort = (): void => {
          close()
          done(() => reject(signal.reason))
        }
        const timer = setTimeout(onEnd, mostMs)
        worker.on('message', onAnswer).on('exit', onEnd)
        signal.addEventListener('abort', onAbort)
        if (signal.aborted) onAbort()
      })
    },
    close,
  }
}
