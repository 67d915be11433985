import { compareDefinitions, type Json, safeLines } from '@countersign/core'
import { type ReactNode, useMemo } from 'react'
import { CodeBlock } from '../text/code-block.tsx'
import { DiffBody } from './diff-body.tsx'
import { diffRows } from './diff-rows.ts'

/** What is new in the definition of a server's tool: the lines that changed, or all of it where nothing was accepted. */
export function DefinitionView({ before, after }: { readonly before: Json | null; readonly after: Json }): ReactNode {
  const change = useMemo(() => compareDefinitions(before, after), [before, after])
  const hunks = useMemo(() => (change.kind === 'whole' ? [] : change.hunks.map(diffRows)), [change])
  const lines = useMemo(() => (change.kind === 'whole' ? safeLines(change.text.slice(0, -1)) : []), [change])
  if (change.kind === 'whole') return <CodeBlock lines={lines} label="The whole definition" />
  return (
    <section className="cs-diff" aria-label="Change of the definition">
      <header className="cs-diff-head">
        <span>changes what was accepted</span>
        <span className="cs-diff-counts">
          {change.added > 0 && <span className="cs-plus">+{change.added}</span>}{' '}
          {change.removed > 0 && <span className="cs-minus">−{change.removed}</span>}
        </span>
      </header>
      <DiffBody hunks={hunks} isSplit={false} />
    </section>
  )
}
