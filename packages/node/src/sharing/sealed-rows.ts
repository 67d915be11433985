import type { Crypto, SharedRows } from '@countersign/core'

/**
 * Shared rows that only gates of the list can read and write. SECURITY: A2 whoever can write the database can remove a row,
 * and put an older one back under its own key, but can't make one.
 */
export function sealRows(rows: SharedRows, crypto: Pick<Crypto, 'seal' | 'unseal'>): SharedRows {
  const seal = (key: string, value: string): string =>
    Buffer.from(crypto.seal(JSON.stringify([key, value]))).toString('base64')

  function unseal(key: string, sealed: string | undefined): string | undefined {
    if (sealed === undefined) return undefined
    try {
      const [of, value]: readonly unknown[] = JSON.parse(crypto.unseal(Buffer.from(sealed, 'base64')))
      return of === key && typeof value === 'string' ? value : undefined
    } catch {
      return undefined // not written by a gate: as if it were not there
    }
  }

  return Object.freeze({
    get: async (key: string) => unseal(key, await rows.get(key)),
    add: (key: string, value: string, livesMs: number) => rows.add(key, seal(key, value), livesMs),
    set: (key: string, value: string, livesMs: number) => rows.set(key, seal(key, value), livesMs),
    take: async (key: string) => unseal(key, await rows.take(key)),
    async list(prefix: string) {
      const found = [...(await rows.list(prefix))].flatMap(([key, sealed]) => {
        const value = unseal(key, sealed)
        return value === undefined ? [] : [[key, value] as const]
      })
      return new Map(found)
    },
    clear: () => rows.clear(),
  })
}
