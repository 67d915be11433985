import type { Link } from '@countersign/react'

/** How many are held, as a heading. INVARIANT: a page that does not hear the service never says that nothing is held. */
export function heldTitle(count: number, link: Link): string {
  if (link === 'live') return count === 0 ? 'Nothing is held' : `${count} held`
  return count === 0 ? 'Not known what is held' : `${count} held when last heard`
}

/** Why that is not known, in a sentence; null while it is. */
export function unknownWords(link: Link): string | null {
  switch (link) {
    case 'live':
      return null
    case 'connecting':
      return 'Connecting to the service…'
    case 'reconnecting':
      return 'What is held is not known while this page reconnects to the service.'
    case 'offline':
      return 'What is held is not known while the service does not answer.'
    case 'signed-out':
      return 'What is held is not known while nobody is signed in.'
  }
}
