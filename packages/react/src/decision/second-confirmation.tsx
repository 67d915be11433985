import type { JsonObject } from '@countersign/core'
import type { ReactNode } from 'react'
import { Effect } from '../text/call-effect.tsx'
import type { GrantChoice } from './grant-picker.tsx'

/** What an approval would carry beside itself. */
export interface Pending {
  readonly edited?: JsonObject
  readonly grant?: GrantChoice
  readonly words?: string
}

/** What stands above the second act. */
export function Again({
  pending,
  level,
  request,
}: {
  readonly pending: Pending
  readonly level: string
  /** The request that it is about: names are set apart where they cannot be mistaken. */
  readonly request: string
}): ReactNode {
  if (pending.words !== undefined)
    return (
      <p className="cs-again" role="status">
        You grant:{' '}
        <b>
          <Effect text={pending.words} request={request} />
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
