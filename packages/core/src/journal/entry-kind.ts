/** Every kind of entry and its meaning. No other kind can be written. */
export const ENTRY_KINDS = {
  opened: 'a process opened the gate on this store',
  judged: 'a call was rated and judged',
  held: 'a call waits for a person',
  notice: 'a call ran under notify and was shown',
  decided: 'a person approved or rejected a held call',
  'decision-refused': 'a decision was forged, late, about another request, or made by the asker',
  backup: 'a backup of what the call changes was made before it started',
  started: 'the intent, written before the effect',
  continued: 'a running call was sent again with the input its MCP server asked for',
  completed: 'the tool ran and succeeded',
  failed: 'the tool ran and failed',
  denied: 'the policy or a check denied the call',
  rejected: 'a person rejected the call',
  expired: 'nobody decided in time',
  withdrawn: 'the caller left or withdrew the call',
  stale: 'a target or the policy changed after the call was shown',
  released: 'a host runs the tool itself; the gate does not see its effect',
  refused: 'the gate itself refused the call: bad arguments, full queue, failing store',
  unknown: 'an intent without an outcome: the process died in between',
  override: 'a person approved although a check failed',
  'grant-given': 'a person gave a grant',
  'grant-used': 'a grant let a call run',
  'grant-revoked': 'a grant was revoked',
  'changes-seen': 'a person marked changed files as seen',
  'policy-set': 'a person changed the rules of the desk, with a signature',
  'policy-changed': 'another policy took effect',
  'policy-refused': 'a policy file was refused',
  rotated: 'older entries were moved to an archive',
  pruned: 'an archive was deleted; the hashes of its entries stay',
  trusted: 'a person trusted exactly this content of a project’s policy',
  untrusted: 'a person withdrew that trust',
  relayed: 'a summary of the messages between an MCP client and a server',
  'message-refused': 'a message between an MCP client and a server was not passed on',
  'tool-pinned': 'a server was seen for the first time, and its tools were pinned to these definitions',
  'tool-quarantined': 'a server’s tool is new or differs from its accepted definition; it cannot be called',
  'tool-reported': 'a warning about a server’s tools',
  'tool-accepted': 'a person accepted the new definition of a server’s tool',
  'tool-forgotten': 'a person withdrew the acceptance of a server’s tools',
  'server-signed-in': 'a person signed in to an MCP server for the proxy',
  'server-signed-out': 'a person signed out of an MCP server',
  'key-made': 'a key was created or enrolled',
  'key-removed': 'an approver’s key was removed',
} as const

/** One of `ENTRY_KINDS`. */
export type EntryKind = keyof typeof ENTRY_KINDS

export function isEntryKind(kind: string): kind is EntryKind {
  return Object.hasOwn(ENTRY_KINDS, kind)
}
