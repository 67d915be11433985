import { safeText } from '@countersign/core'
import { createPaint, type Style } from '@countersign/terminal/card'
import { type Io, print } from '../terminal/io.ts'
import { dataColumns, hangText } from '../terminal/layout.ts'

/** Prints one line about an agent, wrapped with a hanging indent. */
export function showLine(text: string, style: Style | null, indent: number, io: Io): void {
  const paint = createPaint(io.color)
  for (const row of hangText(safeText(text), dataColumns(io), indent))
    print(io, style === null ? row : paint(row, style))
}
