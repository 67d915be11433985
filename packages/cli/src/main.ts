import type { Command } from 'commander'
import { realIo } from './process-io.ts'
import { createProgram, type GlobalFlags } from './program.ts'
import { EXIT } from './terminal/exit-codes.ts'
import type { Io } from './terminal/io.ts'
import { reportError } from './terminal/report-error.ts'
import { version } from './version.ts'

/** Runs the command for this process. */
export async function main(argv: readonly string[] = process.argv.slice(2)): Promise<void> {
  const parsed: { program?: Command } = {}
  const io = realIo(() => (parsed.program === undefined ? {} : flagsOf(parsed.program)))
  survivePipes(io)
  process.on('uncaughtException', (error) => {
    reportError(error, io)
    process.exit(EXIT.error.code)
  })
  await run(argv, io, parsed)
}

/** Runs one command line in the world it is given. Every error is reported, none is thrown. */
export async function run(argv: readonly string[], io: Io, parsed: { program?: Command } = {}): Promise<void> {
  const program = createProgram(io, version(), argv[0])
  parsed.program = program
  try {
    await program.parseAsync([...argv], { from: 'user' })
  } catch (error) {
    reportError(error, io)
  }
}

/** The global flags as given before or after the subcommand, of whatever depth. */
export function flagsOf(program: Command): GlobalFlags {
  const own = program.opts<GlobalFlags>()
  const inner = program.commands.find((one) => one.name() === program.args[0])
  return {
    ...(isGiven(program, 'json') && own.json !== undefined ? { json: own.json } : {}),
    ...(isGiven(program, 'home') && own.home !== undefined ? { home: own.home } : {}),
    ...(isGiven(program, 'color') && own.color !== undefined ? { color: own.color } : {}),
    ...(inner === undefined ? {} : flagsOf(inner)),
  }
}

function isGiven(command: Command, flag: keyof GlobalFlags): boolean {
  return command.getOptionValueSource(flag) === 'cli'
}

/** A reader that went away is no error: `countersign journal tail | head` just ends. */
function survivePipes(io: Io): void {
  io.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit()
    throw error
  })
  io.stderr.on('error', () => {}) // nobody reads it; the work goes on
}
