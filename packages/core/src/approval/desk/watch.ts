import type { GateContext } from '../context/gate-context.ts'
import type { HeldCallView } from '../request/view.ts'

const POLL_MS = 50

/** Yields every held call once per request: what is held now, then what comes, until the reader stops. */
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
    shown = new Set(views.map((view) => view.requestDigest)) // bounded by what is held
    yield* fresh
    await changeOf(version)
  }

  /** Resolves on the next held call of this process, or once another process wrote. */
  function changeOf(version: number): Promise<void> {
    return new Promise((resolve) => {
      let cancel = () => {}
      const stop = context.events.subscribe((event) => {
        if (event.kind === 'held') done()
      })
      const look = () => {
        cancel = clock.after(POLL_MS, () => (versionNow() === version && !hasUnseen() ? look() : done()))
      }
      const done = () => {
        cancel()
        stop()
        resolve()
      }
      look()
    })
  }

  /** A store that cannot be read any more is a change: listing it again says why. */
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
