/** How to start this program again. */
export type Launcher = readonly [string, ...string[]]

/** The command line that runs a command in the sandbox, under the ticket that it was given. */
export function containedCommand(ticket: string, command: string, launcher: Launcher, home: string | null): string {
  const words = [...launcher, 'contain', '--ticket', ticket, ...(home === null ? [] : ['--home', home]), '--', command]
  return words.map(quoted).join(' ')
}

/** A word for a POSIX shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
