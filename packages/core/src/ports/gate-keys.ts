/** The gates that write to one store. Without this port, the gate's own key is the only one. */
export interface GateKeys {
  /** The name of the journal in checkpoints. */
  readonly origin: string
  /** Public keys of the gates that may write now: base64, raw Ed25519. */
  active(): readonly string[]
  /** Public keys of removed gates, and the journal's size when each was removed: later checkpoints don't count. */
  removed(): readonly RemovedKey[]
}

/** The key of a gate that may no longer write. */
export interface RemovedKey {
  readonly publicKey: string
  readonly upTo: number
}
