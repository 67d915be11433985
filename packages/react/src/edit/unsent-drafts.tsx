import { coverSecrets, safeText } from '@countersign/core'
import { type ReactNode, useMemo, useState } from 'react'
import { CodeBlock } from '../text/code-block.tsx'
import { strandedWords } from './draft-store.ts'

/** What somebody was writing when the call was closed or asked anew: it went nowhere, and can be taken along. */
export function StrandedWords({
  held,
  asked = null,
}: {
  readonly held: string
  /** The request that is asked now, where there is one. */
  readonly asked?: string | null
}): ReactNode {
  const [text] = useState(() => strandedWords(held, asked).join('\n\n'))
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
