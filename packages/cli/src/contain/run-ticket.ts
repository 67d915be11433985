import { realpathSync } from 'node:fs'
import { CountersignError, type Effect, safeText } from '@countersign/core'
import { readTicket } from '@countersign/hosts'
import { agentSessions, type Home, openGate, openHome } from '@countersign/node'
import { reportResult } from '../exec/outcome.ts'
import { runInPlace } from '../exec/run-in-place.ts'
import { type Io, say } from '../terminal/io.ts'

/**
 * Runs the command of a coding agent that its hook allowed to run in the sandbox: this command, in this folder, once.
 * INVARIANT: L1, the ticket is spent before anything starts, and the arguments that run are the ones that were judged.
 */
export async function runTicket(text: string, words: readonly string[], io: Io): Promise<void> {
  const ticket = readTicket(text)
  const [command, ...rest] = words
  if (ticket === undefined || command === undefined || rest.length > 0)
    throw new CountersignError('CS_USAGE', '`--ticket` comes from the hook of a coding agent; leave it out')
  const home = openHome(io.home)
  const session = agentSessions(home).find(({ id }) => id === ticket.session)
  if (session === undefined)
    throw new CountersignError('CS_TICKET_UNKNOWN', 'this ticket’s session has ended; request the command again')
  const { workspace, id, owner } = session
  const opened = await openGate({
    session: 'none',
    tier: 'T1',
    workspace,
    ...(io.home === undefined ? {} : { home: io.home }),
  })
  try {
    const joined = opened.joinSession(id, owner)
    const effect = runJudged(command, ticket.callId, home, io)
    reportResult(await joined.collect({ kind: 'ticket', callId: ticket.callId }, effect), io, false)
    joined.leave()
  } finally {
    await opened.gate.close()
  }
}

function runJudged(given: string, call: string, home: Home, io: Io): Effect {
  return async (args, place) => {
    const { command } = args
    if (command !== given)
      throw new CountersignError('CS_STALE', 'this is not the command that was judged; request it again')
    if (realpathSync(io.cwd) !== realpathSync(place.cwd))
      throw new CountersignError(
        'CS_STALE',
        `the command was judged for \`${safeText(place.cwd)}\` but would run in \`${safeText(io.cwd)}\`; name its folder and request it again`,
      )
    return runInPlace({ command }, place, { home, call }, io, (line) => {
      if (line !== null) say(io, `countersign: ${safeText(line)}`)
    })
  }
}
