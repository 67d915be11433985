import type { JsonObject } from '@countersign/core'
import type { ReactNode } from 'react'
import type { GrantChoice } from './grant-picker.tsx'
import { Safe } from './safe.tsx'

/** What an approval would carry beside itself. */
export interface Pending {
  readonly edited?: JsonObject
  readonly grant?: GrantChoice
  readonly words?: string
}

/** What stands above the second act. */
export function Again({ pending, level }: { readonly pending: Pending; readonly level: string }): ReactNode {
  if (pending.words !== undefined)
    return (
      <p className="cs-again" role="status">
        You grant:{' '}
        <b>
          <Safe text={pending.words} />
        </b>
        . It can be taken back at any time.
      </p>
    )
  return (
    <p className="cs-again" role="status">
      {pending.edited === undefined
        ? `Risk ${level}: one more act. Nothing has been decided yet.`
        : 'The edited call is judged again before it runs. Nothing has been decided yet.'}
    </p>
  )
}
