import type { MaybePromise } from './maybe-promise.ts'

/** Whether the sandbox works on this machine. Only `works` counts: otherwise a call is judged as if there were none. */
export type SandboxStatus =
  | { readonly kind: 'works'; readonly name: 'bubblewrap' }
  /** `why` and `fix` are one line each. */
  | { readonly kind: 'missing' | 'broken' | 'unproven'; readonly why: string; readonly fix: string }

/** The sandbox for commands that run unasked. */
export interface Sandbox {
  /** Found by trying to escape from it. */
  status(): MaybePromise<SandboxStatus>
}
