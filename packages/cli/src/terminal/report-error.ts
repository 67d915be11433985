import { CountersignError, safeText } from '@countersign/core'
import { CommanderError } from 'commander'
import { EXIT } from './exit-codes.ts'
import { type Io, say } from './io.ts'

/** Prints an error as one line and sets the exit code. `COUNTERSIGN_DEBUG=1` adds the stack. */
export function reportError(thrown: unknown, io: Io): void {
  if (thrown instanceof CommanderError) {
    // Commander throws for help and version, too.
    if (thrown.exitCode === 0) return
    if (thrown.code !== 'commander.help') say(io, `countersign: ${usageLine(thrown.message)} [CS_USAGE]`)
    io.exit(EXIT.error.code)
    return
  }
  if (thrown instanceof CountersignError) say(io, `countersign: ${safeText(thrown.message)} [${thrown.code}]`)
  else
    say(
      io,
      `countersign: unexpected error (${safeText(nameOf(thrown))}); set COUNTERSIGN_DEBUG=1 for a stack trace [CS_INTERNAL]`,
    )
  if (io.env['COUNTERSIGN_DEBUG'] === '1' && thrown instanceof Error) {
    for (let error: unknown = thrown; error instanceof Error; error = error.cause) say(io, error.stack ?? error.message)
  }
  io.exit(EXIT.error.code)
}

/** Rewrites a message of commander in our style. */
function usageLine(message: string): string {
  const [first = '', hint = ''] = message.replace(/^error: /, '').split('\n')
  const line = first
    .replaceAll("'", '`')
    .replace(/\.$/, '')
    .replace('is invalid. Allowed', 'is invalid; allowed')
    .replace('is invalid. ', 'is invalid; ')
  const near = /^\(Did you mean (?:one of )?(.*)\?\)$/.exec(hint)?.[1]
  return safeText(
    `${line}; ${near === undefined ? 'see `--help`' : `did you mean \`${near.replaceAll(', ', '` or `')}\`?`}`,
  )
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message.split('\n', 1)[0] ?? ''}` : typeof thrown
}
