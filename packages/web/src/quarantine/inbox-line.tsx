import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { useQuarantine } from './quarantine.ts'

/** One line in the inbox: somebody whose agent has no terminal learns here why its tool is refused. */
export function QuarantineLink({
  isStill,
}: {
  /** It neither comes nor goes now. */
  readonly isStill: boolean
}): ReactNode {
  const { data } = useQuarantine()
  const { waiting = [], more = 0, broken = [] } = data ?? {}
  const tools = waiting.length + more
  const isThere = tools + broken.length > 0
  const [isShown, setShown] = useState(isThere)
  if (!isStill && isShown !== isThere) setShown(isThere)
  if (!(isStill ? isShown : isThere)) return null
  return (
    <Link href="/tools" className="quarantine-link">
      {tools > 0 || broken.length === 0
        ? `${tools} ${tools === 1 ? 'tool is' : 'tools are'} in quarantine`
        : `Every tool of ${broken.length === 1 ? 'a server' : `${broken.length} servers`} is in quarantine`}{' '}
      <span aria-hidden="true">→</span>
    </Link>
  )
}
