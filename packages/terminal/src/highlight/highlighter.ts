import { Worker } from 'node:worker_threads'
import type { SafeText } from '@countersign/core'
import type { StyledSpan } from '../card/text/rows.ts'
import { languageOf } from './languages.ts'

export type CodeSpans = readonly (readonly StyledSpan[])[]

/** A highlighting request to the worker. */
export interface CodeRequest {
  readonly id: number
  readonly language: string
  readonly lines: readonly string[]
}

/** Highlights code in a worker. On any failure the code stays plain. */
export interface Highlighter {
  spans(path: string, lines: readonly SafeText[]): Promise<CodeSpans | null>
  close(): void
}

/** Larger code is not highlighted. */
const MOST_LINES = 2_000
const LONGEST_LINE = 1_000
/** Timeout; the worker is then restarted. */
const LONGEST_MS = 10_000

export function openHighlighter(): Highlighter {
  const waiting = new Map<number, (spans: CodeSpans | null) => void>()
  let worker: Worker | null = null
  let next = 0

  function start(): Worker {
    // The worker is next to this file, in the sources and in the build.
    const name = import.meta.url.endsWith('.ts') ? './highlight-worker.ts' : './highlight-worker.js'
    const made = new Worker(new URL(name, import.meta.url))
    made.unref()
    made.on('message', ({ id, spans }: { readonly id: number; readonly spans: CodeSpans | null }) => answer(id, spans))
    made.on('error', stop)
    return made
  }

  function answer(id: number, spans: CodeSpans | null): void {
    waiting.get(id)?.(spans)
    waiting.delete(id)
  }

  function stop(): void {
    void worker?.terminate()
    worker = null
    for (const id of [...waiting.keys()]) answer(id, null)
  }

  return {
    spans(path, lines) {
      const language = languageOf(path)
      const isPlain =
        lines.length === 0 || lines.length > MOST_LINES || lines.some((line) => line.length > LONGEST_LINE)
      if (language === undefined || isPlain) return Promise.resolve(null)
      worker ??= start()
      const request: CodeRequest = { id: next++, language, lines }
      return new Promise((resolve) => {
        const timer = setTimeout(stop, LONGEST_MS)
        timer.unref()
        waiting.set(request.id, (spans) => {
          clearTimeout(timer)
          resolve(spans)
        })
        worker?.postMessage(request)
      })
    },
    close: stop,
  }
}
