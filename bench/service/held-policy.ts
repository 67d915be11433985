/** Holds every call: also those of risk none, so that syncing to disk does not drown the rest. */
export const ALL_HELD = `version: 1
defaults: { timeout: 30m }
rules:
  - id: ask-reads
    kind: read
    supervision: confirm
  - id: ask-writes
    kind: write
    supervision: confirm
`
