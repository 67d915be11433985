import { safeText, wrapText } from '@countersign/core'
import type { Command } from 'commander'

/** Examples stand in help texts, and those are read on terminals of this width. */
const COLUMNS = 80

/** One example: the command line, and what it is for. */
export type Example = readonly [line: string, what: string]

/** Puts examples before everything else in a command's help: people read those first. */
export function addExamples(command: Command, examples: readonly Example[]): void {
  const width = Math.max(...examples.map(([line]) => line.length))
  const fits = width <= 44 && examples.every(([, what]) => width + what.length + 4 <= COLUMNS)
  const lines = examples.flatMap(([line, what]) =>
    fits
      ? [`  ${line.padEnd(width)}  ${what}`]
      : [`  ${line}`, ...wrapText(safeText(what), COLUMNS - 6).map((row) => `      ${row.trimEnd()}`)],
  )
  command.addHelpText('before', `Examples:\n${lines.join('\n')}\n`)
}
