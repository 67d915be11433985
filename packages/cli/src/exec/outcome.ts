import { type Refusal, refusalWords, safeText, type ToolResult } from '@countersign/core'
import { CommandFailed, type Ended } from '@countersign/node'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, say } from '../terminal/io.ts'

/** The exit code for a refusal. */
export function refusalCode(refusal: Refusal): number {
  switch (refusal.outcome) {
    case 'rejected':
      return EXIT.rejected.code
    case 'denied':
      return EXIT.denied.code
    case 'expired':
      return EXIT.expired.code
    case 'withdrawn':
    case 'stale':
      return refusal.code === 'CS_NO_INTERFACE' ? EXIT.unasked.code : EXIT.withdrawn.code
    case 'refused':
    case 'unknown':
      return EXIT.error.code
  }
}

/** Reports the outcome and sets the exit code: the command's own, or one of ours if it did not run. `told`: the prompt already reported it. */
export function reportResult(result: ToolResult, io: Io, told: boolean): void {
  const ended = result.kind === 'failed' && result.error instanceof CommandFailed ? result.error.ended : null
  const code =
    result.kind === 'refusal'
      ? refusalCode(result)
      : result.kind === 'completed'
        ? EXIT.ok.code
        : (ended?.exitCode ?? EXIT.error.code)
  io.exit(code)
  if (io.json) {
    say(io, JSON.stringify(asJson(result, code, ended)))
    return
  }
  if (result.kind === 'refusal') {
    // The prompt has already shown it on this screen.
    if (told && io.isTty.stderr) return
    say(io, `countersign: not run, ${result.outcome}: ${safeText(refusalWords(result))} [${result.code}]`)
    return
  }
  const problem = ended === null && result.kind === 'failed' ? result.message : ended?.problem
  if (problem !== undefined && problem !== null) say(io, `countersign: ${safeText(problem)} [CS_TOOL_FAILED]`)
  if (!result.recorded)
    say(
      io,
      'countersign: the command ran, but its outcome could not be recorded; the journal will list it as unknown [CS_STORE_WRITE]',
    )
}

function asJson(result: ToolResult, exitCode: number, ended: Ended | null): object {
  if (result.kind === 'refusal') {
    const { callId, outcome, code, message, reason, rule, risk = null } = result
    return { call: callId, ran: false, outcome, exitCode, code, message, reason, rule, risk }
  }
  return {
    call: result.callId,
    ran: ended?.how !== 'not-started',
    outcome: result.kind,
    exitCode,
    signal: ended?.signal ?? null,
    recorded: result.recorded,
  }
}
