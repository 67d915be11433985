import {
  CHANGE_WORDS,
  compareDefinitions,
  countedWords,
  type DiffPreview,
  type Json,
  safeLines,
  safeText,
} from '@countersign/core'
import { type ReactNode, useMemo, useState } from 'react'
import { CodeBlock } from '../text/code-block.tsx'
import { chunksOf, FoldButton, FoldEnd, HEAD, TAIL, WHOLE } from '../text/fold.tsx'
import { Region } from '../text/region.tsx'
import { SafeTextView } from '../text/safe-text.tsx'
import { type DiffRow, diffRows, drawnRows, splitRows, stretchOf } from './diff-rows.ts'
import { Notes } from './notes.tsx'

/** The diff of one file, unified or side by side. */
export function DiffView({ preview }: { readonly preview: DiffPreview }): ReactNode {
  const [isSplit, setSplit] = useState(false)
  const hunks = useMemo(() => preview.hunks.map(diffRows), [preview])
  const { change, path, from, added, removed } = preview
  const canSplit = removed > 0 && added > 0
  return (
    <Region className="cs-diff" label={`Changes to ${safeText(path)}`}>
      <header className="cs-diff-head">
        <span>
          {CHANGE_WORDS[change]}{' '}
          <code>
            {from !== undefined && (
              <>
                <SafeTextView text={from} /> →{' '}
              </>
            )}
            <SafeTextView text={path} />
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
            Side by side
          </button>
        )}
      </header>
      <Notes notes={preview.notes} />
      <DiffBody hunks={hunks} isSplit={isSplit && canSplit} />
      {preview.folded > 0 && (
        <p className="cs-notes">
          ! {preview.folded} more lines are not shown here; the arguments below contain all of them
        </p>
      )}
    </Region>
  )
}

/** The changed lines of a tool definition, or all of it if none was accepted before. */
export function DefinitionView({ before, after }: { readonly before: Json | null; readonly after: Json }): ReactNode {
  const change = useMemo(() => compareDefinitions(before, after), [before, after])
  const hunks = useMemo(() => (change.kind === 'whole' ? [] : change.hunks.map(diffRows)), [change])
  const lines = useMemo(() => (change.kind === 'whole' ? safeLines(change.text.slice(0, -1)) : []), [change])
  if (change.kind === 'whole') return <CodeBlock lines={lines} label="Full definition" />
  return (
    <section className="cs-diff" aria-label="Definition changes">
      <header className="cs-diff-head">
        <span>changes the accepted definition</span>
        <span className="cs-diff-counts">
          {change.added > 0 && <span className="cs-plus">+{change.added}</span>}{' '}
          {change.removed > 0 && <span className="cs-minus">−{change.removed}</span>}
        </span>
      </header>
      <DiffBody hunks={hunks} isSplit={false} />
    </section>
  )
}

const SIGN = { same: ' ', added: '+', removed: '−' } as const
const WORD = { same: '', added: 'added: ', removed: 'removed: ' } as const

type Hunks = readonly (readonly DiffRow[])[]

/** The changed lines of a file. A long diff is folded with its end visible, where a payload could hide. */
function DiffBody({ hunks, isSplit }: { readonly hunks: Hunks; readonly isSplit: boolean }): ReactNode {
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
    // biome-ignore lint/suspicious/noArrayIndexKey: hunks have no id
    <div key={at} className="cs-hunk">
      {at > 0 && <div className="cs-gap" aria-hidden="true" />}
      {(lazy ? chunksOf(rows) : [rows]).map((chunk, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: chunks have no id
        <div key={place} className={lazy ? 'cs-chunk' : undefined}>
          {isSplit ? <Split rows={chunk} /> : <Unified rows={chunk} />}
        </div>
      ))}
    </div>
  ))
}

function Unified({ rows }: { readonly rows: readonly DiffRow[] }): ReactNode {
  return rows.map((row, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id
    <div key={at} className={`cs-line cs-${row.kind}`}>
      <span className="cs-no">{row.old ?? ''}</span>
      <span className="cs-no">{row.new ?? ''}</span>
      <Line row={row} />
    </div>
  ))
}

function Split({ rows }: { readonly rows: readonly DiffRow[] }): ReactNode {
  return splitRows(rows).map(([left, right], at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id
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
          <SafeTextView text={text} />
        ) : (
          <>
            <SafeTextView text={text.slice(0, changed.start)} />
            <span className="cs-changed">
              <SafeTextView text={text.slice(changed.start, changed.end)} />
            </span>
            <SafeTextView text={text.slice(changed.end)} />
          </>
        )}
      </span>
    </>
  )
}
