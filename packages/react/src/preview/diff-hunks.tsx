import type { DiffHunk } from '@countersign/core'
import { type ReactNode, useMemo } from 'react'
import { Safe } from '../safe.tsx'
import { type DiffRow, diffRows, splitRows } from './diff-rows.ts'

const SIGN = { same: ' ', added: '+', removed: '−' } as const
const WORD = { same: '', added: 'added: ', removed: 'removed: ' } as const

/** Lines that changed, with what stands around them, in one column or two. */
export function DiffHunks({
  hunks,
  isSplit = false,
}: {
  readonly hunks: readonly DiffHunk[]
  readonly isSplit?: boolean
}): ReactNode {
  const drawn = useMemo(() => hunks.map(diffRows), [hunks])
  return drawn.map((rows, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: hunks have no other name
    <div key={at} className="cs-hunk">
      {at > 0 && <div className="cs-gap" aria-hidden="true" />}
      {isSplit ? <Split rows={rows} /> : <Unified rows={rows} />}
    </div>
  ))
}

function Unified({ rows }: { readonly rows: readonly DiffRow[] }): ReactNode {
  return rows.map((row, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
    <div key={at} className={`cs-line cs-${row.kind}`}>
      <span className="cs-no">{row.old ?? ''}</span>
      <span className="cs-no">{row.new ?? ''}</span>
      <Line row={row} />
    </div>
  ))
}

function Split({ rows }: { readonly rows: readonly DiffRow[] }): ReactNode {
  return splitRows(rows).map(([left, right], at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
    <div key={at} className="cs-pair">
      <div className={`cs-line ${left === null ? 'cs-nothing' : `cs-${left.kind}`}`}>
        <span className="cs-no">{left?.old ?? ''}</span>
        {left !== null && <Line row={left} />}
      </div>
      <div className={`cs-line ${right === null ? 'cs-nothing' : `cs-${right.kind}`}`}>
        <span className="cs-no">{right?.new ?? ''}</span>
        {right !== null && <Line row={right} />}
      </div>
    </div>
  ))
}

function Line({ row }: { readonly row: DiffRow }): ReactNode {
  const { text, changed } = row
  return (
    <>
      <span className="cs-sign" aria-hidden="true">
        {SIGN[row.kind]}
      </span>
      <span className="cs-text">
        <span className="cs-hidden">{WORD[row.kind]}</span>
        {changed === null || changed.start >= changed.end ? (
          <Safe text={text} />
        ) : (
          <>
            <Safe text={text.slice(0, changed.start)} />
            <span className="cs-changed">
              <Safe text={text.slice(changed.start, changed.end)} />
            </span>
            <Safe text={text.slice(changed.end)} />
          </>
        )}
      </span>
    </>
  )
}
