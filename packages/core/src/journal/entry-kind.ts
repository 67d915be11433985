/** Every kind of entry, and what it says. A kind not listed here cannot be written. */
export const ENTRY_KINDS = {
  opened: 'a process opened the gate on this store',
  judged: 'a call was taken, rated and judged',
  held: 'a call waits for a person',
  notice: 'a call ran under notify and was shown',
  decided: 'a person approved or rejected a held call',
  'decision-refused': 'a decision was forged, late, about something else, or made by the asker',
  backup: 'a copy of what the call changes was kept, before it started',
  started: 'the intent: written before the effect',
  continued: 'a call that runs was sent again, with what its MCP server had asked for',
  completed: 'the tool ran and succeeded',
  failed: 'the tool ran and failed',
  denied: 'policy denied the call',
  rejected: 'a person rejected the call',
  expired: 'nobody decided in time',
  withdrawn: 'the caller went away',
  stale: 'a target or the policy changed after the call was shown',
  released: 'a host runs the tool itself; its effect is not seen',
  refused: 'the gate itself refused: bad arguments, full queue, failing store',
  unknown: 'an intent without an outcome: the process died in between',
  override: 'a person approved although a check failed',
  'grant-given': 'a person gave a standing permission',
  'grant-used': 'a standing permission let a call run',
  'grant-revoked': 'a standing permission was taken back',
  'policy-changed': 'another policy is in force',
  'policy-refused': 'a policy file was refused',
  rotated: 'older entries were moved to an archive',
  pruned: 'an archive was deleted; the hashes of its entries stay',
  trusted: 'a person trusted exactly this content of a project’s policy',
  untrusted: 'a person took that trust back',
  relayed: 'the summary of what went between an MCP client and a server',
  'message-refused': 'a message between an MCP client and a server was not passed on',
  'tool-pinned': 'a server was seen for the first time, and its tools are held to these definitions',
  'tool-quarantined': 'a server’s tool is new or not as it was accepted; it is not callable',
  'tool-reported': 'something about a server’s tools that a person should know',
  'tool-accepted': 'a person accepted the new definition of a server’s tool',
  'tool-forgotten': 'a person took a server’s tools out of what was accepted',
  'server-signed-in': 'a person signed in to an MCP server, and the proxy may use it',
  'server-signed-out': 'a person ended that',
  'key-made': 'a key was made or enrolled',
  'key-removed': 'an approver’s key was taken out',
} as const

/** One of `ENTRY_KINDS`. */
export type EntryKind = keyof typeof ENTRY_KINDS

export function isEntryKind(kind: string): kind is EntryKind {
  return Object.hasOwn(ENTRY_KINDS, kind)
}
