import { countedWords } from '@countersign/react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { useQuarantine } from './quarantine.ts'

/** Links to the tools in quarantine, for people whose agent has no terminal. */
export function QuarantineLink({
  isStill,
}: {
  /** Keeps the link from appearing or disappearing. */
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
        ? `${countedWords(tools, 'tool')} in quarantine`
        : `All tools of ${broken.length === 1 ? 'a server' : `${broken.length} servers`} are in quarantine`}{' '}
      <span aria-hidden="true">→</span>
    </Link>
  )
}
