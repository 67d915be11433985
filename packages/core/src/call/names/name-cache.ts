const MOST_NAMES = 2000
const MOST_SERVERS = 64
/** What is longer is no name that comes again. */
const LONGEST = 64

/**
 * Remembers what a pure function says of a name: the same few tools and arguments come with every call. The bounds keep
 * a flood of odd names from growing it. INVARIANT: L10.
 */
export function byName<T>(say: (name: string) => T, most = MOST_NAMES): (name: string) => T {
  const known = new Map<string, T>()
  return (name) => {
    const found = known.get(name)
    if (found !== undefined || known.has(name)) return found as T
    const said = say(name)
    if (name.length > LONGEST) return said
    if (known.size >= most) known.clear()
    known.set(name, said)
    return said
  }
}

/** The same of a tool's name and its server's. */
export function byTool<T>(say: (name: string, server: string) => T): (name: string, server: string) => T {
  const ofServer = byName((server: string) => byName((name) => say(name, server)), MOST_SERVERS)
  return (name, server) => ofServer(server)(name)
}
