import type { ReactNode } from 'react'
import { SafeTextView } from '../text/safe-text.tsx'

/** A list of notes below a preview. */
export function Notes({
  notes,
  bad = false,
}: {
  readonly notes: readonly string[]
  readonly bad?: boolean
}): ReactNode {
  if (notes.length === 0) return null
  return (
    <ul className={bad ? 'cs-notes cs-notes-bad' : 'cs-notes'}>
      {notes.map((note) => (
        <li key={note}>
          <span aria-hidden="true">{bad ? '✖ ' : '! '}</span>
          <SafeTextView text={note} />
        </li>
      ))}
    </ul>
  )
}
