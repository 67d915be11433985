const MAX_NAMES = 2000
const MAX_SERVERS = 64
/** Longer names are unlikely to come again. */
const MAX_LENGTH = 64

/**
 * Caches the result of a pure function by name: the same few tools and arguments come with every call. INVARIANT: L10,
 * the cache is bounded, so that a flood of odd names doesn't grow it.
 */
export function byName<T>(compute: (name: string) => T, maxNames = MAX_NAMES): (name: string) => T {
  const cache = new Map<string, T>()
  return (name) => {
    const found = cache.get(name)
    if (found !== undefined || cache.has(name)) return found as T
    const result = compute(name)
    if (name.length > MAX_LENGTH) return result
    if (cache.size >= maxNames) cache.clear()
    cache.set(name, result)
    return result
  }
}

/** The same by a tool's name and its server's. */
export function byTool<T>(compute: (name: string, server: string) => T): (name: string, server: string) => T {
  const ofServer = byName((server: string) => byName((name) => compute(name, server)), MAX_SERVERS)
  return (name, server) => ofServer(server)(name)
}
