import type { BrowserKey } from '@countersign/react'
import { type ReactNode, useState } from 'react'
import { CodeWords, EnrolForm } from '../signing/enrol-form.tsx'
import type { SitePasskey } from '../signing/passkey.ts'
import { PasskeyChooser } from './passkey-chooser.tsx'

/** This browser's key, or a passkey of its owner, becomes one that may decide: with a code from a terminal. */
export function EnrolBanner({
  browserKey,
  cannot,
  passkeys,
}: {
  /** Null where it is enrolled already, or where there is none. */
  readonly browserKey: BrowserKey | null
  /** Why this browser has no key of its own. */
  readonly cannot: string | null
  readonly passkeys: readonly SitePasskey[]
}): ReactNode {
  const [isNarrow] = useState(() => matchMedia('(max-width: 760px)').matches)
  const words = title(browserKey, cannot, passkeys)
  const form = (
    <>
      {passkeys.length > 0 && <PasskeyChooser passkeys={passkeys} chosen={null} />}
      <EnrolForm browserKey={browserKey}>
        <p>
          {!isNarrow && <b>{words}</b>} <CodeWords /> {browserKey !== null && 'The key never leaves this browser.'}
        </p>
      </EnrolForm>
    </>
  )
  if (!isNarrow) return form
  // On a phone what is held comes first: one line, which opens.
  return (
    <details className="enrol-fold">
      <summary>
        <b>{words}</b>{' '}
        <span className="enrol-how">{cannot === null && browserKey !== null ? 'Enrol it' : 'Add one'}</span>
      </summary>
      {form}
    </details>
  )
}

function title(key: BrowserKey | null, cannot: string | null, passkeys: readonly SitePasskey[]): string {
  if (cannot !== null) return `${cannot.charAt(0).toUpperCase()}${cannot.slice(1)}.`
  if (key === null) return 'Add a passkey.'
  return passkeys.length > 0 ? 'This browser’s own key is not enrolled.' : 'This browser may look, but not decide.'
}
