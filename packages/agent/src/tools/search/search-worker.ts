/** A thread for a model’s expression, so that a slow one can be stopped. */
import { parentPort, workerData } from 'node:worker_threads'
import { RE2JS, RE2JSException } from 're2js'
import type { Expression, MatchAnswer, MatchRequest } from './line-matcher.ts'

const { pattern, anyCase } = workerData as Expression

function compiled(): RE2JS | null {
  try {
    return RE2JS.compile(pattern, anyCase ? RE2JS.CASE_INSENSITIVE : 0)
  } catch (error) {
    if (error instanceof RE2JSException) return null
    throw error
  }
}

const expression = compiled()
const answer = (found: MatchAnswer): void => parentPort?.postMessage(found)

if (expression === null) answer({ kind: 'malformed' })
else {
  parentPort?.on('message', ({ lines, most }: MatchRequest) => {
    const found: number[] = []
    for (const [at, line] of lines.entries()) {
      if (found.length === most) break
      if (expression.matcher(line).find()) found.push(at)
    }
    answer({ kind: 'found', lines: found })
  })
  answer({ kind: 'ready' })
}
