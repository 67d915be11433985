import type { SharedRows } from '@countersign/core'

/** INVARIANT: L10, past this the eldest is forgotten. */
const MOST = 200

/** The same rows in memory, for a service that has its store alone. */
export function memoryRows(now: () => number): SharedRows {
  const rows = new Map<string, { readonly value: string; readonly until: number }>()

  function alive(key: string): string | undefined {
    const row = rows.get(key)
    return row !== undefined && row.until > now() ? row.value : undefined
  }

  function put(key: string, value: string, livesMs: number): void {
    rows.delete(key)
    rows.set(key, { value, until: now() + livesMs })
    const [eldest] = rows.size > MOST ? rows.keys() : []
    if (eldest !== undefined) rows.delete(eldest)
  }

  return {
    get: async (key) => alive(key),
    async add(key, value, livesMs) {
      if (alive(key) !== undefined) return false
      put(key, value, livesMs)
      return true
    },
    async set(key, value, livesMs) {
      put(key, value, livesMs)
    },
    async take(key) {
      const value = alive(key)
      rows.delete(key)
      return value
    },
    async list(prefix) {
      const keys = [...rows.keys()].filter((key) => key.startsWith(prefix))
      return new Map(keys.flatMap((key) => [[key, alive(key) ?? ''] as const]))
    },
    async clear() {
      rows.clear()
    },
  }
}
