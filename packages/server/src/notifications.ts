import { existsSync } from 'node:fs'
import { asCountersignError, type Desk, type PastCall } from '@countersign/core'
import type { Home, OpenedGate } from '@countersign/node'
import type { Courier } from '@countersign/notify'

/** What notifications are made from. */
interface NotificationParts {
  readonly home: Home
  readonly main: Pick<OpenedGate, 'desk' | 'ports'>
  /** The URL of the inbox, as people reach it. */
  readonly inbox: string
  report(line: string): void
}

/** Sends notifications of held calls. */
export interface Notifications {
  close(): Promise<void>
}

const LOOK_MS = 2_000
/** As many as the store holds at most. */
const MOST = 10_000

/**
 * Sends notifications once there is somewhere to send them to; until then nothing is loaded. INVARIANT: it fails by itself: held
 * calls, decisions and the service go on without it.
 */
export function openNotifications(parts: NotificationParts): Notifications {
  const { home, report } = parts
  let opening: Promise<Courier | undefined> | undefined
  let failure = ''

  function look(): void {
    if (opening !== undefined || !(existsSync(home.notify) || existsSync(home.subscriptions))) return
    opening = start(parts).catch((error: unknown) => {
      const { message } = asCountersignError(error, 'CS_INTERNAL', 'internal error')
      if (message !== failure) report(`notifications are off: ${message}`)
      failure = message
      opening = undefined // tried again in the next round
      return undefined
    })
  }

  look()
  const looking = setInterval(look, LOOK_MS).unref()
  return {
    async close() {
      clearInterval(looking)
      await (await opening)?.close()
    },
  }
}

async function start({ home, main, inbox, report }: NotificationParts): Promise<Courier> {
  const { notifiedCall, openCourier } = await import('@countersign/notify')
  const { store, clock } = main.ports
  return openCourier({
    home,
    clock,
    inbox,
    report,
    storeVersion: () => store.version(),
    async held() {
      const rows = await store.calls({ state: 'held', limit: MOST, unsealed: true })
      return rows.flatMap((row) => notifiedCall(row) ?? [])
    },
    outcomes: (calls) => outcomesOf(calls, main.desk),
  })
}

async function outcomesOf(calls: readonly string[], desk: Pick<Desk, 'past'>): Promise<ReadonlyMap<string, string>> {
  const outcomes = new Map<string, string>()
  for (const id of calls) {
    const past = await desk.past(id).catch(() => undefined)
    const words = past === undefined ? null : outcomeWords(past)
    if (words !== null) outcomes.set(id, words)
  }
  return outcomes
}

function outcomeWords({ decision, outcome }: PastCall): string | null {
  if (decision !== null) return decision.kind === 'approve' ? 'approved' : 'rejected'
  return outcome
}
