import type { GateContext } from '../context/gate-context.ts'
import type { HeldCallView } from '../request/view.ts'

/** How often a live stream of held calls sends a heartbeat. */
export const NOW_MS = 3_000

/** After three missed heartbeats a surface no longer shows the stream as live. */
export const SILENT_MS = 3 * NOW_MS

const POLL_MS = 50

/** Yields every held call once per request: those held now, then each new one, until the reader stops. */
export async function* watchHeld(
  list: () => Promise<readonly HeldCallView[]>,
  context: GateContext,
): AsyncGenerator<HeldCallView, void, void> {
  const { clock, store } = context.ports
  let shown = new Set<string>()
  for (;;) {
    const version = store.version()
    const views = await list()
    const fresh = views.filter((view) => !shown.has(view.requestDigest))
    shown = new Set(views.map((view) => view.requestDigest)) // bounded by the number of held calls
    yield* fresh
    await nextChange(version)
  }

  /** Resolves on the next held call of this process, or once another process wrote to the store. */
  function nextChange(version: number): Promise<void> {
    return new Promise((resolve) => {
      let cancel = () => {}
      const unsubscribe = context.events.subscribe((event) => {
        if (event.kind === 'held') done()
      })
      const poll = () => {
        cancel = clock.after(POLL_MS, () => (versionNow() === version && !hasUnseen() ? poll() : done()))
      }
      const done = () => {
        cancel()
        unsubscribe()
        resolve()
      }
      poll()
    })
  }

  /** A store that cannot be read counts as changed: `list` then throws the reason. */
  function versionNow(): number {
    try {
      return store.version()
    } catch {
      return Number.NaN
    }
  }

  function hasUnseen(): boolean {
    for (const held of context.live.values()) if (!shown.has(held.requestDigest)) return true
    return false
  }
}
