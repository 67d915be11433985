/** Holds every call, including those of risk none, so that disk syncs do not dominate. */
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
