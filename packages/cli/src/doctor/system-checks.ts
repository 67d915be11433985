import { readFileSync } from 'node:fs'
import type { Io } from '../terminal/io.ts'
import type { Check } from './check.ts'

/** What the machine lets processes of one user do to each other. SECURITY: A4 A5. */
export function systemChecks(io: Io): readonly Check[] {
  const shared = ['TMUX', 'STY'].find((name) => io.env[name])
  return [
    kernel('/proc/sys/kernel/yama/ptrace_scope', 'memory', (value) => value !== '0', {
      good: 'one process cannot read the memory of another that it did not start',
      bad: 'any process of a user can read the memory of its others',
      fix: 'set kernel.yama.ptrace_scope to 1',
    }),
    kernel('/proc/sys/dev/tty/legacy_tiocsti', 'typing', (value) => value === '0', {
      good: 'no process can type into the terminal it runs on',
      bad: 'a process can type into the terminal it runs on',
      fix: 'set dev.tty.legacy_tiocsti to 0',
    }),
    {
      name: 'terminal',
      holds: shared === undefined,
      words:
        shared === undefined
          ? 'this terminal is in no multiplexer'
          : `this terminal is in a multiplexer (${shared}): whoever reaches its socket can type here`,
      ...(shared === undefined ? {} : { fix: 'decide in a terminal of its own, or in the inbox' }),
    },
  ]
}

function kernel(
  path: string,
  name: string,
  isGood: (value: string) => boolean,
  words: { readonly good: string; readonly bad: string; readonly fix: string },
): Check {
  try {
    const holds = isGood(readFileSync(path, 'latin1').trim())
    return holds ? { name, holds, words: words.good } : { name, holds, words: words.bad, fix: words.fix }
  } catch {
    return { name, holds: undefined, words: `this system does not say (${path})` }
  }
}
