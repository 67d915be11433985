import { CHANGE_WORDS, type DiffPreview, safeText } from '@countersign/core'
import { type ReactNode, useMemo, useState } from 'react'
import { Region } from '../text/region.tsx'
import { Safe } from '../text/safe-text.tsx'
import { DiffBody } from './diff-body.tsx'
import { diffRows } from './diff-rows.ts'
import { Notes } from './notes.tsx'

/** One file, line by line, in one column or two. */
export function DiffView({ preview }: { readonly preview: DiffPreview }): ReactNode {
  const [isSplit, setSplit] = useState(false)
  const hunks = useMemo(() => preview.hunks.map(diffRows), [preview])
  const { change, path, from, added, removed } = preview
  const canSplit = removed > 0 && added > 0
  return (
    <Region className="cs-diff" label={`Change of ${safeText(path)}`}>
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
      <DiffBody hunks={hunks} isSplit={isSplit && canSplit} />
      {preview.folded > 0 && (
        <p className="cs-notes">
          ! {preview.folded} more lines are not drawn here; the arguments below hold all of them
        </p>
      )}
    </Region>
  )
}
