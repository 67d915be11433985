import { readFileSync } from 'node:fs'
import type { Io } from '../terminal/io.ts'
import type { Check } from './check.ts'

/** Checks how the kernel isolates processes of the same user. SECURITY: A4 A5. */
export function systemChecks(io: Io): readonly Check[] {
  const shared = ['TMUX', 'STY'].find((name) => io.env[name])
  return [
    kernel('/proc/sys/kernel/yama/ptrace_scope', 'memory', (value) => value !== '0', {
      tested: 'whether processes can read each other’s memory',
      good: 'processes can’t read each other’s memory',
      bad: 'processes of the same user can read each other’s memory',
      fix: 'set kernel.yama.ptrace_scope to 1',
    }),
    kernel('/proc/sys/dev/tty/legacy_tiocsti', 'typing', (value) => value === '0', {
      tested: 'whether a process can inject input into its terminal',
      good: 'processes can’t inject input into their terminal',
      bad: 'a process can inject input into its terminal',
      fix: 'set dev.tty.legacy_tiocsti to 0',
    }),
    {
      name: 'terminal',
      holds: shared === undefined,
      words:
        shared === undefined
          ? 'this terminal is not inside a multiplexer'
          : `this terminal is inside a multiplexer (${shared}): any program that reaches its socket can type here`,
      ...(shared === undefined ? {} : { fix: 'approve in a terminal outside the multiplexer, or in the inbox' }),
    },
  ]
}

function kernel(
  path: string,
  name: string,
  isGood: (value: string) => boolean,
  words: { readonly tested: string; readonly good: string; readonly bad: string; readonly fix: string },
): Check {
  try {
    const holds = isGood(readFileSync(path, 'latin1').trim())
    return holds ? { name, holds, words: words.good } : { name, holds, words: words.bad, fix: words.fix }
  } catch {
    return { name, holds: undefined, words: `could not test ${words.tested}: no ${path}` }
  }
}
