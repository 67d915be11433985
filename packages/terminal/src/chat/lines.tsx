import type { ReactNode } from 'react'
import { Line } from '../ink/line.tsx'

/** Rows that were made to fit, one below the other; a row is its place. */
export function Lines({ lines }: { readonly lines: readonly string[] }): ReactNode {
  return lines.map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
    <Line key={at}>{line}</Line>
  ))
}
