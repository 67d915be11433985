import { coverSecrets, safeText } from '@countersign/core'
import { type ReactNode, useMemo, useState } from 'react'
import { CodeBlock } from '../text/code-block.tsx'
import type { Draft } from './draft.ts'

/** An edit that somebody has begun. */
export interface UnsentEdit {
  readonly draft: Draft
  /** The JSON of all, where it is edited so. */
  readonly json: string | null
  /** What was written so far, as text. */
  readonly words: string
}

/** What somebody wrote for a request and has not handed in. */
export interface Written {
  readonly reject?: string
  readonly manual?: string
  readonly edit?: UnsentEdit
}

/** Which request of which held call. */
export interface DraftOf {
  readonly held: string
  readonly requestDigest: string
}

/** INVARIANT: L10, so many are kept; the oldest are let go. */
const MOST = 50

const kept = new Map<string, { readonly held: string; readonly written: Written }>()

/** What was begun for this request. Kept in this page's memory and nowhere else. */
export function draftOfRequest({ requestDigest }: DraftOf): Written {
  return kept.get(requestDigest)?.written ?? {}
}

/** Keeps what is written, so that leaving a card, or its end, takes it from nobody; what is undefined is let go. */
export function keepDraft(
  { held, requestDigest }: DraftOf,
  more: { [Key in keyof Written]: Written[Key] | undefined },
): void {
  const all = Object.entries({ ...kept.get(requestDigest)?.written, ...more })
  const written: Written = Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== ''))
  kept.delete(requestDigest)
  if (Object.keys(written).length > 0) kept.set(requestDigest, { held, written })
  const [oldest] = kept.keys()
  if (kept.size > MOST && oldest !== undefined) kept.delete(oldest)
}

/** It was handed in, or put aside on purpose. Gives what was there, should it have to come back. */
export function dropDraft(of: DraftOf): Written {
  const written = draftOfRequest(of)
  kept.delete(of.requestDigest)
  return written
}

/** What was written for requests of a held call that cannot be answered any more: all but the one that is asked now. */
export function unsentDrafts(held: string, asked: string | null): readonly string[] {
  return [...kept]
    .filter(([requestDigest, one]) => one.held === held && requestDigest !== asked)
    .flatMap(([, { written }]) => [written.reject, written.manual, written.edit?.words])
    .filter((words) => words !== undefined)
}

/** What somebody was writing when the call was closed or asked anew: it went nowhere, and can be taken along. */
export function UnsentDrafts({
  held,
  asked = null,
}: {
  readonly held: string
  /** The request that is asked now, where there is one. */
  readonly asked?: string | null
}): ReactNode {
  const [text] = useState(() => unsentDrafts(held, asked).join('\n\n'))
  const [isCopied, setCopied] = useState(false)
  const lines = useMemo(() => coverSecrets(text).split('\n').map(safeText), [text])
  if (text === '') return null
  return (
    <section className="cs-stranded" aria-label="Not sent">
      <p>
        What you had written was not sent.{' '}
        {'clipboard' in navigator && (
          <button
            type="button"
            className="cs-quiet"
            onClick={() =>
              navigator.clipboard.writeText(text).then(
                () => setCopied(true),
                () => {},
              )
            }
          >
            {isCopied ? 'Copied' : 'Copy it'}
          </button>
        )}
      </p>
      <CodeBlock lines={lines} label="What you had written" />
    </section>
  )
}
