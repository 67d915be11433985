import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useQuarantine } from './use-quarantine.ts'

/** One line in the inbox: somebody whose agent has no terminal learns here why its tool is refused. */
export function QuarantineLine(): ReactNode {
  const { data } = useQuarantine()
  if (data === undefined) return null
  const { waiting, more, broken } = data
  const tools = waiting.length + more
  if (tools === 0 && broken.length === 0) return null
  return (
    <Link href="/tools" className="quarantine-link">
      {tools > 0
        ? `${tools} ${tools === 1 ? 'tool is' : 'tools are'} in quarantine`
        : `Every tool of ${broken.length === 1 ? 'a server' : `${broken.length} servers`} is in quarantine`}{' '}
      <span aria-hidden="true">→</span>
    </Link>
  )
}
