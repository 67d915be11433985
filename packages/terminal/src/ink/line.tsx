import { Text } from 'ink'
import type { ReactNode } from 'react'

/** One row that was made to fit: Ink never breaks it, and an empty one keeps its place. */
export function Line({ children }: { readonly children: string }): ReactNode {
  return <Text wrap="truncate-end">{children === '' ? ' ' : children}</Text>
}
