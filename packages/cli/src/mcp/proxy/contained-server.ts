import { type Bounds, CountersignError, shellQuote } from '@countersign/core'
import { type OpenedGate, openSandbox } from '@countersign/node'
import { flagWords } from '../../contain/bounds-flags.ts'

/** A server's command. */
export interface ServerCommand {
  readonly command: string
  readonly args: readonly string[]
}

/**
 * The command that runs a server in the sandbox: this program itself, as `contain`. Throws where no sandbox works: a server
 * that was to be contained never runs outside.
 */
export async function containedServer(
  { command, args }: ServerCommand,
  bounds: Bounds,
  { places, home }: Pick<OpenedGate, 'places' | 'home'>,
): Promise<ServerCommand> {
  const status = await openSandbox(places).status()
  if (status.kind !== 'works') throw new CountersignError('CS_SANDBOX', `${status.why}; ${status.fix}`)
  const [, program] = process.argv
  if (program === undefined) throw new CountersignError('CS_SANDBOX', 'the path of this program is unknown')
  // A single word would be a shell command line.
  const words = args.length === 0 ? [shellQuote(command)] : [command, ...args]
  const flags = ['--service', '--workspace', places.workspace, '--home', home.dir, ...flagWords(bounds)]
  return { command: process.execPath, args: [...process.execArgv, program, 'contain', ...flags, '--', ...words] }
}
