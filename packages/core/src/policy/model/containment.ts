/**
 * The bounds of a sandboxed run. All folders are absolute real paths. Part of the request's digest, the journal and the
 * card.
 */
export interface Bounds {
  /** What the command may do with the workspace. */
  readonly workspace: 'read' | 'write'
  /** More folders it may write, from `contain:` of a rule or grant. */
  readonly write: readonly string[]
  /** More folders it may read. */
  readonly read: readonly string[]
  /**
   * Hosts it may reach through the filtering proxy: `registry.npmjs.org`, `*.example.com`, with an optional `:port` (default
   * 443 and 80). Empty: no network but its own loopback.
   */
  readonly network: readonly string[]
  /** Credentials of the person made visible read-only, by name in the table: `git`, `npm` and others. */
  readonly credentials: readonly string[]
}

/** What a rule or grant adds to the bounds: folders as written in the policy, host patterns, names of credentials. */
export type RuleBounds = Pick<Bounds, 'write' | 'read' | 'network' | 'credentials'>

/** Something that the sandbox refused to a run. Unless it is `strong`, it is told from the run's own output, which may be untrue. */
export interface SandboxRefusal {
  readonly kind: 'host' | 'write' | 'read' | 'device' | 'start'
  /** The host or path, or why it did not start. */
  readonly what: string
  readonly certainty: 'strong' | 'medium' | 'weak'
  /** The narrowest exception that would allow it, if there is one. */
  readonly exception?: SandboxException
}

/** A host that a command may reach, or a folder that it may write or read. */
export interface SandboxException {
  readonly use: 'network' | 'write' | 'read'
  readonly name: string
}

export const NO_BOUNDS: RuleBounds = { write: [], read: [], network: [], credentials: [] }

/** The project's own secrets are named differently from the person's. */
function credentialText(credentials: Bounds['credentials']): readonly string[] {
  const own = credentials.filter((name) => name !== 'project')
  return [
    ...(credentials.includes('project') ? ['can read the project’s .env'] : []),
    ...(own.length === 0 ? [] : [`can read credentials: ${own.join(', ')}`]),
  ]
}

/**
 * Where a command runs, in words: `outside the sandbox`, or `in the sandbox` with its bounds. Null for other calls. The words
 * contain paths and hosts from the policy; escape them for display.
 *
 * @example
 * containmentText(null) // 'outside the sandbox'
 * containmentText({ workspace: 'write', write: [], read: [], network: [], credentials: [] })
 * // 'in the sandbox: can change only the workspace; no network'
 */
export function containmentText(contain: Bounds | null | undefined): string | null {
  if (contain === undefined) return null
  if (contain === null) return 'outside the sandbox'
  const { workspace, write, read, network, credentials } = contain
  const written = [...(workspace === 'write' ? ['the workspace'] : []), ...write]
  const bounds = [
    written.length === 0 ? 'can change nothing' : `can change only ${written.join(', ')}`,
    ...(read.length === 0 ? [] : [`can also read ${read.join(', ')}`]),
    network.length === 0 ? 'no network' : `can reach ${network.join(', ')}`,
    ...credentialText(credentials),
  ]
  return `in the sandbox: ${bounds.join('; ')}`
}
