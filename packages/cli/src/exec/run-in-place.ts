import type { RunPlace } from '@countersign/core'
import {
  type Command,
  CommandFailed,
  type ContainedEnd,
  type Ended,
  type RunOptions,
  runCommand,
  runContained,
  unaskedEnvironment,
} from '@countersign/node'
import type { Io } from '../terminal/io.ts'

/**
 * Runs a permitted command where its permit says: in the sandbox, or outside, with the gate's own environment if nobody was
 * asked. Throws if it failed. `onRefused` gets one line on what the sandbox refused, null if that is nothing.
 */
export async function runInPlace(
  command: Command,
  { contain, places, approvedBy, refused, ended: noteEnd }: RunPlace,
  gated: NonNullable<RunOptions['gated']>,
  io: Io,
  onRefused: (line: string | null) => void,
): Promise<Ended> {
  const isProven = contain === null && approvedBy === null
  const env = isProven ? unaskedEnvironment(io.env) : io.env
  const running = { cwd: io.cwd, stdio: 'inherit', env, gated } as const
  const ended: Ended & Partial<ContainedEnd> =
    contain === null
      ? await runCommand(command, { ...running, isProven })
      : await runContained(command, { ...running, bounds: contain, places })
  if (ended.how !== 'not-started') noteEnd({ exitCode: ended.exitCode })
  if (ended.exitCode === 0 && ended.how === 'exited') return ended
  refused(ended.sandbox?.refused ?? [])
  onRefused(ended.sandbox?.line ?? null)
  throw new CommandFailed(ended)
}
