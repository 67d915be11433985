import type { Ended } from './run-command.ts'

/** A command that ran and failed; thrown through the gate, so that every surface and the journal record `failed`. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
  readonly ended: Ended
  /** Its output, for whoever asked; empty if it went elsewhere. */
  readonly output: string

  constructor(ended: Ended, { output = '', more = '' }: { readonly output?: string; readonly more?: string } = {}) {
    super(`${endWords(ended)}${more}`)
    this.ended = ended
    this.output = output
  }
}

function endWords({ problem, signal, exitCode }: Ended): string {
  if (problem !== null) return problem
  return signal === null ? `exit code ${exitCode}` : `ended by ${signal}`
}
