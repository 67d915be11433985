import { safeText } from '@countersign/react'
import { type ReactNode, useId } from 'react'
import type { SitePasskey } from '../signing/passkey.ts'
import { choosePasskey } from '../signing/passkey-choice.ts'
import { useOverlays } from './overlay.ts'

/** Which passkey this browser asks for: before any answered here, each in turn. */
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
      <label htmlFor={id}>Decide with the passkey</label>
      <select
        id={id}
        className="cs-input"
        value={passkeys.some((one) => one.id === chosen) ? (chosen ?? '') : ''}
        onChange={(event) => choosePasskey(event.target.value === '' ? null : event.target.value)}
      >
        <option value="">whichever answers</option>
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
