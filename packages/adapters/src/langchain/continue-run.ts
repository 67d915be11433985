/** A pause of a graph: the SDK's `Interrupt`. */
export interface PausedCall {
  readonly id?: string
}

/**
 * What resumes a graph whose calls were paused: `new Command({ resume: continueRun(interrupts) })`. The graph then invokes each
 * paused tool, and the gate looks up its decision. Do it in any process, as often as you like: it approves nothing.
 */
export function continueRun(interrupts: readonly PausedCall[] = []): Record<string, true> {
  return Object.fromEntries(interrupts.flatMap(({ id }) => (id === undefined ? [] : [[id, true]])))
}
