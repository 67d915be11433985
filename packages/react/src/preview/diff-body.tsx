import { countedWords } from '@countersign/core'
import { type ReactNode, useMemo, useState } from 'react'
import { chunksOf, FoldButton, FoldEnd, HEAD, TAIL, WHOLE } from '../text/fold.tsx'
import { Safe } from '../text/safe-text.tsx'
import { type DiffRow, drawnRows, splitRows, stretchOf } from './diff-rows.ts'

const SIGN = { same: ' ', added: '+', removed: '−' } as const
const WORD = { same: '', added: 'added: ', removed: 'removed: ' } as const

type Hunks = readonly (readonly DiffRow[])[]

/** The changed lines of a file. Many are folded as a long text is: a payload would hide in the last line. */
export function DiffBody({ hunks, isSplit }: { readonly hunks: Hunks; readonly isSplit: boolean }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const count = useMemo(() => hunks.reduce((sum, rows) => sum + rows.length, 0), [hunks])
  const isLong = useMemo(() => drawnRows(hunks) > WHOLE, [hunks])
  if (!isLong) return <Stretch hunks={hunks} isSplit={isSplit} />
  if (isOpen)
    return (
      <>
        <Stretch hunks={hunks} isSplit={isSplit} lazy />
        <FoldEnd rows={count} />
      </>
    )
  const [head, tail] = [Math.min(HEAD, Math.floor(count / 2)), Math.min(TAIL, Math.floor(count / 4))]
  return (
    <>
      <Stretch hunks={stretchOf(hunks, 0, head)} isSplit={isSplit} />
      <FoldButton hidden={count - head - tail} all={countedWords(count, 'line')} open={() => setOpen(true)} />
      <Stretch hunks={stretchOf(hunks, count - tail, count)} isSplit={isSplit} />
    </>
  )
}

function Stretch({
  hunks,
  isSplit,
  lazy = false,
}: {
  readonly hunks: Hunks
  readonly isSplit: boolean
  readonly lazy?: boolean
}): ReactNode {
  return hunks.map((rows, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: hunks have no other name
    <div key={at} className="cs-hunk">
      {at > 0 && <div className="cs-gap" aria-hidden="true" />}
      {(lazy ? chunksOf(rows) : [rows]).map((chunk, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one hunk have no other name
        <div key={place} className={lazy ? 'cs-chunk' : undefined}>
          {isSplit ? <Split rows={chunk} /> : <Unified rows={chunk} />}
        </div>
      ))}
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
