import { CHANGE_WORDS, type DiffPreview } from '@countersign/core'
import { type ReactNode, useState } from 'react'
import { Safe } from '../safe.tsx'
import { DiffHunks } from './diff-hunks.tsx'
import { Notes } from './notes.tsx'

/** One file, line by line, in one column or two. */
export function DiffView({ preview }: { readonly preview: DiffPreview }): ReactNode {
  const [isSplit, setSplit] = useState(false)
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
      <DiffHunks hunks={preview.hunks} isSplit={isSplit && canSplit} />
      {preview.folded > 0 && (
        <p className="cs-notes">
          ! {preview.folded} more lines are not drawn here; the arguments below hold all of them
        </p>
      )}
    </section>
  )
}
