import type { ReactNode } from 'react'
import { Link, useSearch } from 'wouter'

/** A page of the inbox, as the service passes it on. */
const PAGE = /^\/[a-z]+(?:\/[^/]+)?$/

/**
 * Offers the page that a link on another site pointed to. SECURITY: A5 the service opens the list instead, so that no other
 * site places a call under the pointer.
 */
export function LinkedPage(): ReactNode {
  const linked = new URLSearchParams(useSearch()).get('linked')
  if (linked === null || !PAGE.test(linked)) return null
  return (
    <p className="linked" role="status">
      You followed a link from another site.{' '}
      <Link href={linked} className="cs-quiet">
        {wordsOf(linked)}
      </Link>
    </p>
  )
}

function wordsOf(path: string): string {
  if (path.startsWith('/held/')) return 'Open the call'
  return path.startsWith('/batch/') ? 'Open the batch' : 'Open the page'
}
