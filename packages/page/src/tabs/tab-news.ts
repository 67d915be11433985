/** News between the tabs that share a store: only that something changed, never what. */
export interface TabNews {
  /** Rises when another tab wrote to the store. */
  version(): number
  /** Tells the other tabs that this one wrote. */
  tell(): void
  /** Calls `listener` when another tab wrote; returns the function that unsubscribes. */
  onNews(listener: () => void): () => void
  close(): void
}

export function openNews(store: string): TabNews {
  const channel = new BroadcastChannel(store)
  const listeners = new Set<() => void>()
  let version = 0
  channel.onmessage = () => {
    version += 1
    for (const listener of listeners) listener()
  }
  return {
    version: () => version,
    tell: () => channel.postMessage('written'),
    onNews(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => channel.close(),
  }
}
