/** An exit code, with its name in code and documentation. */
export interface ExitCode {
  readonly code: number
  readonly name: string
  readonly means: string
}

/** All exit codes, as shown by `countersign help exit-codes`. */
export const EXIT = {
  ok: { code: 0, name: 'ok', means: 'success; with `exec`: the command ran and exited with 0' },
  failed: {
    code: 1,
    name: 'failed',
    means: 'a check failed (lint, test, verify), or a decision was not accepted',
  },
  stopped: {
    code: 119,
    name: 'stopped',
    means: '`run` reached a limit on time, tokens or turns before the agent finished',
  },
  rejected: { code: 120, name: 'rejected', means: 'a person rejected the call; it did not run' },
  denied: { code: 121, name: 'denied', means: 'policy or a safety check denied the call; it did not run' },
  expired: { code: 122, name: 'expired', means: 'nobody decided before the deadline; it did not run' },
  withdrawn: {
    code: 123,
    name: 'withdrawn',
    means: 'interrupted while held, or a target changed; it did not run',
  },
  unasked: {
    code: 124,
    name: 'unasked',
    means: 'approval is needed but nobody can be asked (`--no-input`); it did not run',
  },
  error: { code: 125, name: 'error', means: 'wrong usage, or an internal error' },
} as const satisfies Record<string, ExitCode>
