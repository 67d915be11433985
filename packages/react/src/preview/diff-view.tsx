import { CHANGE_WORDS, type DiffPreview } from '@countersign/core'
import { type ReactNode, useMemo, useState } from 'react'
import { Safe } from '../safe.tsx'
import { type DiffRow, diffRows, splitRows } from './diff-rows.ts'
import { Notes } from './notes.tsx'

const SIGN = { same: ' ', added: '+', removed: '−' } as const
const WORD = { same: '', added: 'added: ', removed: 'removed: ' } as const

/** One file, line by line, in one column or two. */
export function DiffView({ preview }: { readonly preview: DiffPreview }): ReactNode {
  const [isSplit, setSplit] = useState(false)
  const hunks = useMemo(() => preview.hunks.map(diffRows), [preview])
  const { change, path, from, added, removed } = preview
  const canSplit = removed > 0 && added > 0
  return (
    <section className="cs-diff" aria-label="Change of a file">
      <header className="cs-diff-head">
        <span>
          {CHANGE_WORDS[change]}{' '}
          <code>
            {from !== undefined && (
              <>
                <Safe text={from} /> →{' '}
              </>
            )}
            <Safe text={path} />
          </code>
        </span>
        <span className="cs-diff-counts">
          {added > 0 && <span className="cs-plus">+{added}</span>}{' '}
          {removed > 0 && <span className="cs-minus">−{removed}</span>}
        </span>
        {canSplit && (
          <button
            type="button"
            className="cs-quiet cs-wide-only"
            aria-pressed={isSplit}
            onClick={() => setSplit(!isSplit)}
          >
            side by side
          </button>
        )}
      </header>
      <Notes notes={preview.notes} />
      {hunks.map((rows, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: hunks have no other name
        <div key={at} className="cs-hunk">
          {at > 0 && <div className="cs-gap" aria-hidden="true" />}
          {isSplit && canSplit ? <Split rows={rows} /> : <Unified rows={rows} />}
        </div>
      ))}
      {preview.folded > 0 && (
        <p className="cs-notes">
          ! {preview.folded} more lines are not drawn here; the arguments below hold all of them
        </p>
      )}
    </section>
  )
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
