import { isatty } from 'node:tty'
import type { GlobalFlags } from './program.ts'
import { wantsColor } from './terminal/color-preference.ts'
import { openTerminal } from './terminal/controlling-terminal.ts'
import type { Io } from './terminal/io.ts'

/** The process's own world. `flags` is asked when a flag is needed: the command line is read only then. */
export function realIo(flags: () => GlobalFlags): Io {
  const isTty = { stdin: isatty(0), stdout: isatty(1), stderr: isatty(2) }
  const { env } = process
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    // Touched only by who reads it: for `exec` it belongs to the command.
    get stdin() {
      return process.stdin
    },
    env,
    cwd: process.cwd(),
    isTty,
    get columns() {
      return process.stdout.columns || process.stderr.columns || 80
    },
    get color() {
      return wantsColor(env, isTty.stdout, flags().color)
    },
    get errorColor() {
      return wantsColor(env, isTty.stderr, flags().color)
    },
    get json() {
      return flags().json === true
    },
    get home() {
      return flags().home
    },
    terminal() {
      const color = wantsColor(env, true, flags().color)
      return openTerminal({ color, plain: !color })
    },
    exit(code) {
      process.exitCode = code
    },
  }
}
