import { safeText } from '@countersign/core'
import { Command, InvalidArgumentError } from 'commander'
import { SUBCOMMANDS, type SubcommandEntry } from './subcommands.ts'
import { EXIT } from './terminal/exit-codes.ts'
import { type Io, print } from './terminal/io.ts'

/** The flags every command takes, before or after its name. */
export interface GlobalFlags {
  readonly json?: boolean
  readonly home?: string
  readonly color?: boolean
}

/**
 * The command line with every subcommand named; each is loaded and defined only when it is used. Where the first word
 * of the command line is a subcommand, the others are left out.
 */
export function createProgram(io: Io, version: string, firstWord?: string): Command {
  const program = new Command('countersign')
    .description('Your agent asks, a person countersigns, and only then does the tool run.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      outputError: () => {}, // said once, in our own form, by `reportError`
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      getOutHelpWidth: () => Math.min(io.columns, 100),
      getErrHelpWidth: () => Math.min(io.columns, 100),
    })
    // Beside long terms a narrow column is still better than lines that the terminal breaks.
    .configureHelp({ minWidthToWrap: 24 })
  addGlobalFlags(program)
  const named = SUBCOMMANDS.filter(({ name }) => name === firstWord)
  const defined = new Map<Command, SubcommandEntry>()
  for (const entry of named.length === 0 ? SUBCOMMANDS : named)
    defined.set(
      addGlobalFlags(program.command(entry.name, { hidden: entry.hidden === true }).description(entry.summary)),
      entry,
    )

  async function define(command: Command): Promise<void> {
    const entry = defined.get(command)
    defined.delete(command)
    if (entry !== undefined) (await entry.load()).define(command, io)
  }

  program.hook('preSubcommand', (_, command) => define(command))
  program.hook('preAction', async (_, command) => {
    const { refuseDecidingInside } = await import('./home/deciding-guard.ts')
    await refuseDecidingInside(command, io)
  })
  program
    .command('help [topic...]')
    .description('show help for a command, or `exit-codes`')
    .action(async (topic: readonly string[]) => help(program, topic, define, io))
  program.addHelpText(
    'before',
    `Examples:
  countersign exec -- git push         run a command through the gate
  countersign held                     list the calls that wait for you
  countersign approve 3f2a91c0         approve one of them
  countersign demo                     try it with a scripted agent
`,
  )
  return program
}

/** Adds the global flags to a command. */
export function addGlobalFlags(command: Command): Command {
  return command
    .option('--json', 'print data as JSON')
    .option('--home <dir>', 'folder with policy, store and keys (default: ~/.countersign)', namedFolder)
    .option('--no-color', 'plain output: no color, no redrawn lines')
}

/** An empty `--home` is an unset variable, not the current folder. */
function namedFolder(given: string): string {
  if (given.trim() !== '') return given
  throw new InvalidArgumentError('name a folder, or leave it out')
}

async function help(
  program: Command,
  topic: readonly string[],
  define: (command: Command) => Promise<void>,
  io: Io,
): Promise<void> {
  if (topic.length === 1 && topic[0] === 'exit-codes') return printExitCodes(io)
  let command = program
  for (const name of topic) {
    const found = command.commands.find((one) => one.name() === name || one.aliases().includes(name))
    if (found === undefined) return command.error(`error: unknown help topic '${name}'`)
    await define(found)
    command = found
  }
  command.outputHelp()
}

async function printExitCodes(io: Io): Promise<void> {
  const { dataColumns, hangText } = await import('./terminal/layout.ts')
  const put = (text: string, hang: number): void => {
    for (const row of hangText(safeText(text), dataColumns(io), hang)) print(io, row)
  }
  for (const { code, name, means } of Object.values(EXIT))
    put(`${String(code).padStart(3)}  ${name.padEnd(9)}  ${means}`, 16)
  print(io)
  put(
    '`exec` passes on any other exit code of the command: 126 not executable, 127 not found, 128 + n ended by signal n.',
    0,
  )
}
