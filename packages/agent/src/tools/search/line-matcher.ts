import { Worker } from 'node:worker_threads'
import { RE2JS } from 're2js'
import { toolFailure } from '../definition/tool-failure.ts'

/** What a search looks for. */
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

/** Lines for the worker; it looks until it has found `most`. */
export interface MatchRequest {
  readonly lines: readonly string[]
  readonly most: number
}

export type MatchAnswer =
  | { readonly kind: 'ready' | 'malformed' }
  | { readonly kind: 'found'; readonly lines: readonly number[] }

/** Finds the lines of texts that hold what is sought. */
export interface LineMatcher {
  /** Places of the first `most` lines that hold it; null when looking took too long, after which it is not asked again. */
  find(lines: readonly string[], most: number): Promise<readonly number[] | null>
  close(): void
}

/** The longest part of one line that an expression looks at. */
export const MOST_SOUGHT = 20_000
const LONGEST_MS = 10_000
/** To start the thread, on a machine that has other things to do, and to compile the pattern. */
const LONGEST_START_MS = 30_000
const MOST_MEGABYTES = 256

/** Opens a matcher. A text to the letter is looked for here, in linear time; an expression in a thread that can be ended. */
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
        : 'the pattern is no regular expression of RE2; leave `regex` out to find it as it stands',
    )
  }
  return {
    async find(lines, most) {
      thread.send({ lines: lines.map((line) => line.slice(0, MOST_SOUGHT)), most })
      const answer = await thread.answer(longestMs)
      if (answer === null) thread.close()
      return answer?.kind === 'found' ? answer.lines : null
    },
    close: thread.close,
  }
}

/** SECURITY: A25 RE2 is linear in the line, but the factor is the model's: repetitions of repetitions make it huge. */
function openThread(expression: Expression, signal: AbortSignal) {
  // The worker stands beside this file, as a source or as it was built.
  const name = import.meta.url.endsWith('.ts') ? './search-worker.ts' : './search-worker.js'
  const worker = new Worker(new URL(name, import.meta.url), {
    workerData: expression,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
  })
  const close = (): void => void worker.terminate()
  worker.on('error', () => {})
  return {
    send: (request: MatchRequest): void => worker.postMessage(request),
    /** The next answer; null when none comes in time, or the thread broke. Throws when the search is stopped. */
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
