import type { Outcome } from '@countersign/core'
import type { OpenDesk } from './desk.ts'

/** What became of a call after its approval. */
export type Became =
  | { readonly kind: 'over'; readonly outcome: Outcome }
  | { readonly kind: 'running' }
  /** Its caller has not started it yet. */
  | { readonly kind: 'waiting' }

/** How long an approval waits for the outcome of its call. */
const WAIT_MS = 1_500
const POLL_MS = 25

/** Follows an approved call for a moment. Null if the store no longer has it. */
export async function becameOf(
  id: string,
  { desk, ports: { clock } }: Pick<OpenDesk, 'desk' | 'ports'>,
): Promise<Became | null> {
  const until = clock.monotonic() + WAIT_MS
  for (;;) {
    const past = await desk.past(id)
    if (past === undefined) return null
    if (past.state === 'closed' && past.outcome !== null) return { kind: 'over', outcome: past.outcome }
    const isStarted = past.state === 'started'
    if (past.mode === 'submit' && !isStarted) return { kind: 'waiting' }
    if (clock.monotonic() >= until) return { kind: isStarted ? 'running' : 'waiting' }
    await new Promise<void>((resolve) => clock.after(POLL_MS, resolve))
  }
}

/** Whether the approval had its effect: the call ran, runs or still can. */
export function hasEffect(became: Became | null): boolean {
  return became?.kind !== 'over' || became.outcome === 'completed' || became.outcome === 'failed'
}

/** What became of an approved call, in words. */
export function becameWords(became: Became): string {
  if (became.kind === 'running') return 'the call is running'
  if (became.kind === 'waiting') return 'the call has not started yet; its agent runs it'
  if (became.outcome === 'completed') return 'the call completed'
  if (became.outcome === 'failed') return 'the call ran and failed'
  return `the call did not run: ${became.outcome}; see \`countersign history\``
}
