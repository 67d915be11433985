import { CLEAN_START } from '../contract/clean-start.ts'

/** How to start this program again. */
export type Launcher = readonly string[]

/** A ticket of a session, as it is written on a command line. */
export interface SessionTicket {
  readonly session: string
  readonly callId: string
}

const TICKET = /^([0-9a-f]{32})\.([\w-]{1,128})$/

export function writeTicket({ session, callId }: SessionTicket): string {
  return `${session}.${callId}`
}

/** Undefined if it is not a ticket. */
export function readTicket(text: string): SessionTicket | undefined {
  const [, session, callId] = TICKET.exec(text) ?? []
  return session === undefined || callId === undefined ? undefined : { session, callId }
}

/** The command line that runs a command in the sandbox, under the ticket that it was given. */
export function containedCommand(
  ticket: SessionTicket,
  command: string,
  launcher: Launcher,
  home: string | null,
): string {
  const words = [
    ...CLEAN_START,
    ...launcher,
    'contain',
    '--ticket',
    writeTicket(ticket),
    ...(home === null ? [] : ['--home', home]),
    '--',
    command,
  ]
  return words.map(quoted).join(' ')
}

/** A word for a POSIX shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
