import { comparableMasks, type Json, type JsonObject, maskJson, safeText } from '@countersign/core'
import { diffLines } from 'diff'
import { type ReactNode, useMemo, useState } from 'react'
import { MarkedText, SafeTextView } from '../text/safe-text.tsx'

const LONGEST = 200_000

/** The changes of an edit per argument, with secrets hidden until revealed. */
export function EditDiff({ before, after }: { readonly before: JsonObject; readonly after: JsonObject }): ReactNode {
  const [isRevealed, setRevealed] = useState(false)
  const masked = useMemo(() => [maskJson(before), maskJson(after)] as const, [before, after])
  const [old, next] = isRevealed ? [before, after] : masked.map(({ value }) => value as JsonObject)
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  if (changed.length === 0) return <p className="cs-dim">No changes yet.</p>
  return (
    <section className="cs-editdiff" aria-label="Your changes">
      {changed.map((name) => (
        <div key={name}>
          <p className="cs-editdiff-name">
            <SafeTextView text={name} />
            {!Object.hasOwn(after, name) && ' removed'}
            {!Object.hasOwn(before, name) && ' added'}
          </p>
          <Lines {...maskedTexts(textsOf(before[name], after[name]), textsOf(old?.[name], next?.[name]))} />
        </div>
      ))}
      {!isRevealed &&
        changed.some((name) => hasCover(before[name], old?.[name]) || hasCover(after[name], next?.[name])) && (
          <button type="button" className="cs-quiet" onClick={() => setRevealed(true)}>
            Reveal secrets
          </button>
        )}
    </section>
  )
}

function hasCover(value: Json | undefined, shown: Json | undefined): boolean {
  return JSON.stringify(value) !== JSON.stringify(shown)
}

interface Texts {
  readonly before: string
  readonly after: string
}

/** A changed secret is shown as a change too. */
function maskedTexts(plain: Texts, masked: Texts): Texts {
  const [before = '', after = ''] = comparableMasks([
    { text: plain.before, masked: masked.before },
    { text: plain.after, masked: masked.after },
  ])
  return { before, after }
}

/** Strings are compared as text, everything else as JSON, so that `2` differs from `"2"`. */
function textsOf(before: Json | undefined, after: Json | undefined): Texts {
  const isText = typeof before === 'string' && typeof after === 'string'
  const of = (value: Json | undefined): string =>
    value === undefined ? '' : isText ? String(value) : JSON.stringify(value, null, 2)
  return { before: of(before), after: of(after) }
}

function Lines({ before, after }: Texts): ReactNode {
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
                  <MarkedText text={safeText(line)} />
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
