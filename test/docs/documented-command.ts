import { PassThrough } from 'node:stream'
import { createProgram } from '../../packages/cli/src/program.ts'
import { SUBCOMMANDS } from '../../packages/cli/src/subcommands.ts'
import type { Io } from '../../packages/cli/src/terminal/io.ts'

/** A world for parsing a command only: no output, no terminal. */
function quietIo(): Io {
  return {
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    stdin: new PassThrough(),
    env: {},
    cwd: '.',
    isTty: { stdin: false, stdout: false, stderr: false },
    columns: 80,
    color: false,
    errorColor: false,
    json: false,
    home: undefined,
    terminal: () => null,
    exit() {},
  }
}

type Command = ReturnType<typeof createProgram>

class Understood extends Error {}

/** The parse error of a command line; null if it is valid. Nothing runs. */
export async function objectionTo(words: readonly string[]): Promise<string | null> {
  const program = createProgram(quietIo(), '0.0.0')
  program.hook('preAction', () => {
    throw new Understood()
  })
  try {
    await program.parseAsync([...words], { from: 'user' })
    return 'it does nothing'
  } catch (error) {
    if (error instanceof Understood) return null
    return error instanceof Error ? error.message : String(error)
  }
}

/** Words of a mention that are no existing command or flag, for text that shows an incomplete command. */
export async function unknownIn(words: readonly string[]): Promise<readonly string[]> {
  const program = createProgram(quietIo(), '0.0.0')
  const loaded = await Promise.all(SUBCOMMANDS.map(async (entry) => [entry.name, await entry.load()] as const))
  for (const [name, subcommand] of loaded) {
    const command = program.commands.find((one) => one.name() === name)
    if (command !== undefined) subcommand.define(command, quietIo())
  }
  return unknownTo(program, words)
}

function unknownTo(command: Command, words: readonly string[]): readonly string[] {
  const [first, ...rest] = words
  if (first === undefined || first === '--') return []
  const inner = command.commands.find((one) => one.name() === first)
  if (inner !== undefined) return unknownTo(inner, rest)
  if (command.commands.length > 0 && !first.startsWith('-')) return [first]
  const known = command.options.flatMap(({ long, short }) => [long, short])
  return words
    .slice(0, words.includes('--') ? words.indexOf('--') : words.length)
    .filter((word) => word.startsWith('-') && word !== '--help' && !known.includes(word))
}
