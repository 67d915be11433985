import { Text } from 'ink'
import type { ReactNode } from 'react'

/** A row that already fits the width: Ink does not wrap it, and an empty row stays visible. */
export function Line({ children }: { readonly children: string }): ReactNode {
  return <Text wrap="truncate-end">{children === '' ? ' ' : children}</Text>
}

/** Rows that already fit the width. */
export function Lines({ lines }: { readonly lines: readonly string[] }): ReactNode {
  return lines.map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
    <Line key={at}>{line}</Line>
  ))
}
