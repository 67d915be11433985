/** How often a stream of held calls says that it is still there. */
export const NOW_MS = 3_000

/** Whoever heard nothing of a stream for so long, three such signs, should not call what it shows live. */
export const SILENT_MS = 3 * NOW_MS
