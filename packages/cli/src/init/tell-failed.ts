import { asCountersignError, safeText } from '@countersign/core'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, say } from '../terminal/io.ts'

/** Reports a failure in one line with its code, sets exit code 1, and continues. */
export function tellFailed(error: unknown, otherwise: string, io: Io): void {
  const { code, message } = asCountersignError(error, 'CS_CLIENT_CONFIG', otherwise)
  say(io, `countersign: ${safeText(message)} [${code}]`)
  io.exit(EXIT.failed.code)
}
