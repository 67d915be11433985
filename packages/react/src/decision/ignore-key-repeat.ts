import type { KeyboardEvent } from 'react'

/** For a bar that decides. SECURITY: A5 one long press is one act: what a held key repeats presses no button after it. */
export function pressOnce(event: KeyboardEvent): void {
  if (event.repeat && event.key === 'Enter' && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault()
}
