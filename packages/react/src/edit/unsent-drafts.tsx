import { coverSecrets, safeText } from '@countersign/core'
import { type ReactNode, useMemo, useState } from 'react'
import { CodeBlock } from '../text/code-block.tsx'
import type { Draft } from './draft.ts'

/** An unfinished edit. */
export interface UnsentEdit {
  readonly draft: Draft
  /** The JSON text, if the edit is in JSON mode. */
  readonly json: string | null
  /** The changes so far, as text. */
  readonly words: string
}

/** Text written for a request and not submitted. */
export interface Written {
  readonly reject?: string
  readonly manual?: string
  readonly edit?: UnsentEdit
}

/** Identifies a request of a held call. */
export interface DraftOf {
  readonly held: string
  readonly requestDigest: string
}

/** INVARIANT: L10, drafts kept at once; the oldest are dropped. */
const MOST = 50

const kept = new Map<string, { readonly held: string; readonly written: Written }>()

/** The draft of a request. Drafts live in this page's memory only. */
export function draftOfRequest({ requestDigest }: DraftOf): Written {
  return kept.get(requestDigest)?.written ?? {}
}

/** Saves a draft, so that it survives leaving the card. An undefined part is removed. */
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

/** Removes a draft on submit and returns it, to be restored if that fails. */
export function dropDraft(of: DraftOf): Written {
  const written = draftOfRequest(of)
  kept.delete(of.requestDigest)
  return written
}

/** Drafts for earlier requests of a held call, which can no longer be submitted. */
function unsentDrafts(held: string, asked: string | null): readonly string[] {
  return [...kept]
    .filter(([requestDigest, one]) => one.held === held && requestDigest !== asked)
    .flatMap(([, { written }]) => [written.reject, written.manual, written.edit?.words])
    .filter((words) => words !== undefined)
}

/** Text that was not submitted because the call closed or changed, to copy. */
export function UnsentDrafts({
  held,
  asked = null,
}: {
  readonly held: string
  /** The current request, if there is one. */
  readonly asked?: string | null
}): ReactNode {
  const [text] = useState(() => unsentDrafts(held, asked).join('\n\n'))
  const [isCopied, setCopied] = useState(false)
  const lines = useMemo(() => coverSecrets(text).split('\n').map(safeText), [text])
  if (text === '') return null
  return (
    <section className="cs-stranded" aria-label="Not sent">
      <p>
        Your text was not sent.{' '}
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
            {isCopied ? 'Copied' : 'Copy'}
          </button>
        )}
      </p>
      <CodeBlock lines={lines} label="Your text" />
    </section>
  )
}
