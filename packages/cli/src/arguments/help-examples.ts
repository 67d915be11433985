import { safeText, wrapText } from '@countersign/core'
import type { Command } from 'commander'

/** The width help examples are laid out for. */
const COLUMNS = 80

/** A command line and its purpose. */
export type Example = readonly [line: string, what: string]

/** Adds examples at the top of a command's help. */
export function addExamples(command: Command, examples: readonly Example[]): void {
  command.addHelpText('before', () => exampleText(examples))
}

function exampleText(examples: readonly Example[]): string {
  const width = Math.max(...examples.map(([line]) => line.length))
  const fits = width <= 44 && examples.every(([, what]) => width + what.length + 4 <= COLUMNS)
  const lines = examples.flatMap(([line, what]) =>
    fits
      ? [`  ${line.padEnd(width)}  ${what}`]
      : [`  ${line}`, ...wrapText(safeText(what), COLUMNS - 6).map((row) => `      ${row.trimEnd()}`)],
  )
  return `Examples:\n${lines.join('\n')}\n`
}
