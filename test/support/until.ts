import { setTimeout as pause } from 'node:timers/promises'

/** Looks again and again until something is there; when it never comes, the error says what was waited for. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  { everyMs = 10, withinMs = 50_000 }: { readonly everyMs?: number; readonly withinMs?: number } = {},
): Promise<NonNullable<T>> {
  const end = performance.now() + withinMs
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== null && found !== false) return found
    if (performance.now() > end) throw new Error(`waited ${withinMs} ms in vain for ${what}`)
    await pause(everyMs)
  }
}
