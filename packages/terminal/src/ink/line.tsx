import { Text } from 'ink'
import type { ReactNode } from 'react'

/** One row that was made to fit: Ink never breaks it, and an empty one keeps its place. */
export function Line({ children }: { readonly children: string }): ReactNode {
  return <Text wrap="truncate-end">{children === '' ? ' ' : children}</Text>
}

/** Rows that were made to fit, one below the other; a row is its place. */
export function Lines({ lines }: { readonly lines: readonly string[] }): ReactNode {
  return lines.map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
    <Line key={at}>{line}</Line>
  ))
}
