/** The sessions that live in this process. What was granted in any other speaks for nobody here. */
export interface Sessions {
  has(session: string | null): boolean
  /** Mints another and records it. */
  open(): Promise<string>
  /** Ends one: its grants are over. */
  close(session: string): Promise<void>
}

/** Begins with the gate's own session; null is that of a gate without one. */
export function createSessions(
  own: string | null,
  newId: () => string,
  record: (session: string) => Promise<unknown>,
  end: (session: string) => Promise<unknown>,
): Sessions {
  const living = new Set<string | null>([own])
  return {
    has: (session) => living.has(session),
    async open() {
      const session = newId()
      await record(session)
      living.add(session)
      return session
    },
    async close(session) {
      living.delete(session)
      await end(session)
    },
  }
}
