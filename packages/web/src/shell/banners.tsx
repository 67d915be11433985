import { type BrowserKey, SafeTextView, safeText } from '@countersign/react'
import { type ReactNode, useId, useState } from 'react'
import type { Me } from '../api/service.ts'
import { EnrolForm, EnrolmentCodeHint } from '../signing/enrol-form.tsx'
import { choosePasskey, type SitePasskey } from '../signing/passkey.ts'
import { useOverlays } from './navigation.ts'

/** Warns about a preset that holds nothing and about invalid policy files. */
export function PolicyBanner({ me }: { readonly me: Me }): ReactNode {
  const problems = me.policyProblems ?? []
  if (me.preset !== 'classic' && problems.length === 0) return null
  return (
    <div className="banner" role="alert">
      {me.preset === 'classic' && <p>The preset is classic: no call is held. Every call runs and is recorded.</p>}
      {problems.map((problem) => (
        <p key={problem}>
          <SafeTextView text={problem} />
        </p>
      ))}
    </div>
  )
}

/** Offers to enrol this browser's key or a passkey. */
export function EnrolBanner({
  browserKey,
  cannot,
  passkeys,
}: {
  /** Null if it is enrolled already or cannot be created. */
  readonly browserKey: BrowserKey | null
  /** Why this browser cannot create a key. */
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
          {!isNarrow && <b>{words}</b>} <EnrolmentCodeHint />{' '}
          {browserKey !== null && 'The key never leaves this browser.'}
        </p>
      </EnrolForm>
    </>
  )
  if (!isNarrow) return form
  // Collapsed on phones, where held calls come first.
  return (
    <details className="enrol-fold">
      <summary>
        <b>{words}</b>{' '}
        <span className="enrol-how">{cannot === null && browserKey !== null ? 'Enroll it' : 'Add one'}</span>
      </summary>
      {form}
    </details>
  )
}

function title(key: BrowserKey | null, cannot: string | null, passkeys: readonly SitePasskey[]): string {
  if (cannot !== null) return `${cannot.charAt(0).toUpperCase()}${cannot.slice(1)}.`
  if (key === null) return 'Add a passkey.'
  return passkeys.length > 0 ? 'This browser’s key is not enrolled.' : 'This browser can view calls but not decide.'
}

/** Selects the passkey this browser uses. */
export function PasskeyChooser({
  passkeys,
  chosen,
}: {
  readonly passkeys: readonly SitePasskey[]
  readonly chosen: string | null
}): ReactNode {
  const id = useId()
  const { open } = useOverlays()
  return (
    <div className="enrol passkeys">
      <label htmlFor={id}>Decide with passkey</label>
      <select
        id={id}
        className="cs-input"
        value={passkeys.some((one) => one.id === chosen) ? (chosen ?? '') : ''}
        onChange={(event) => choosePasskey(event.target.value === '' ? null : event.target.value)}
      >
        <option value="">Any available</option>
        {passkeys.map((one) => (
          <option key={one.id} value={one.id}>
            {safeText(one.name)} ({one.id.slice(0, 6)})
          </option>
        ))}
      </select>
      <button type="button" className="cs-quiet" onClick={() => open('passkey')}>
        Add another
      </button>
    </div>
  )
}
