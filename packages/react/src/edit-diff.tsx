import { type Json, type JsonObject, safeText } from '@countersign/core'
import { diffLines } from 'diff'
import { type ReactNode, useMemo } from 'react'
import { Marked, Safe } from './safe.tsx'

const LONGEST = 200_000

/** What an edit changes, argument by argument. */
export function EditDiff({ before, after }: { readonly before: JsonObject; readonly after: JsonObject }): ReactNode {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  if (changed.length === 0) return <p className="cs-dim">Nothing is changed yet.</p>
  return (
    <section className="cs-editdiff" aria-label="What the edit changes">
      {changed.map((name) => (
        <div key={name}>
          <p className="cs-editdiff-name">
            <Safe text={name} />
          </p>
          <Lines before={textOf(before[name])} after={textOf(after[name])} />
        </div>
      ))}
    </section>
  )
}

function textOf(value: Json | undefined): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

function Lines({ before, after }: { readonly before: string; readonly after: string }): ReactNode {
  const pieces = useMemo(
    () =>
      before.length + after.length > LONGEST
        ? [
            { removed: true, added: false, value: before },
            { removed: false, added: true, value: after },
          ]
        : diffLines(ended(before), ended(after)),
    [before, after],
  )
  return (
    <div className="cs-diff">
      {pieces.flatMap((piece, at) =>
        piece.value
          .replace(/\n$/, '')
          .split('\n')
          .map((line, row) => {
            const kind = piece.added ? 'added' : piece.removed ? 'removed' : 'same'
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
              <div key={`${at} ${row}`} className={`cs-line cs-${kind}`}>
                <span className="cs-sign" aria-hidden="true">
                  {kind === 'added' ? '+' : kind === 'removed' ? '−' : ' '}
                </span>
                <span className="cs-text">
                  <span className="cs-hidden">{kind === 'same' ? '' : `${kind}: `}</span>
                  <Marked text={safeText(line)} />
                </span>
              </div>
            )
          }),
      )}
    </div>
  )
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
