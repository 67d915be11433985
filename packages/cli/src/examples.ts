import type { Command } from 'commander'

/** One example: the command line, and what it is for. */
export type Example = readonly [line: string, what: string]

/** Puts examples before everything else in a command's help: people read those first. */
export function addExamples(command: Command, examples: readonly Example[]): void {
  const width = Math.max(...examples.map(([line]) => line.length))
  const fits = width <= 44
  const lines = examples.map(([line, what]) => (fits ? `  ${line.padEnd(width)}  ${what}` : `  ${line}\n      ${what}`))
  command.addHelpText('before', `Examples:\n${lines.join('\n')}\n`)
}
