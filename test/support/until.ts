import { setTimeout as pause } from 'node:timers/promises'

/** Polls until something is there; the timeout error names what was awaited. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  { everyMs = 10, withinMs = 50_000 }: { readonly everyMs?: number; readonly withinMs?: number } = {},
): Promise<NonNullable<T>> {
  const end = performance.now() + withinMs
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== null && found !== false) return found
    if (performance.now() > end) throw new Error(`timed out after ${withinMs} ms waiting for ${what}`)
    await pause(everyMs)
  }
}
