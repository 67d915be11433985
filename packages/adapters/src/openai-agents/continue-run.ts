/** The state of a run that was interrupted: the SDK's `RunState`. */
export interface InterruptedState<Interruption> {
  getInterruptions(): readonly Interruption[]
  approve(interruption: Interruption): void
}

/**
 * Lets a run go on whose calls were paused: the SDK then invokes each paused tool, and the gate looks up its decision. Do it in any
 * process, as often as you like: it approves nothing.
 */
export function continueRun<Interruption, State extends InterruptedState<Interruption>>(
  state: State & InterruptedState<Interruption>,
): State {
  for (const interruption of state.getInterruptions()) state.approve(interruption)
  return state
}
