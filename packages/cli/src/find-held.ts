import { CountersignError, type OpenedView, openView, safeText } from '@countersign/core'
import type { OpenDesk } from './open-desk.ts'
import { idOf } from './short-id.ts'

/** The one held call a person means by an id or its beginning, opened: its digests are computed again. */
export async function findHeld(typed: string, { desk, ports }: OpenDesk): Promise<OpenedView> {
  const held = await desk.list()
  const words = { what: 'held call', list: 'countersign held', code: 'CS_DECISION_UNKNOWN' } as const
  const isThere = held.some((view) => typed !== '' && view.id.startsWith(typed))
  if (!isThere) await refuseClosed(typed, desk)
  const id = idOf(
    typed,
    held.map((view) => view.id),
    words,
  )
  const view = held.find((one) => one.id === id)
  if (view === undefined)
    throw new CountersignError(
      'CS_DECISION_UNKNOWN',
      `no held call \`${safeText(typed)}\`; list them with \`countersign held\``,
    )
  return openView(view, ports.crypto)
}

/** A call that is over is named as such: who looks for it should know how it ended. INVARIANT: L6. */
async function refuseClosed(typed: string, desk: OpenDesk['desk']): Promise<void> {
  if (typed.length < 4) return
  const over = (await desk.history({ limit: 1000 })).find((call) => call.id.startsWith(typed))
  if (over === undefined) return
  throw new CountersignError(
    'CS_DECISION_LATE',
    `too late: call \`${safeText(typed)}\` is already ${safeText(over.outcome ?? over.state)}`,
  )
}
