import type { ToolResult } from '@countersign/core'
import type { ToolRun } from '../tools/definition/agent-tool.ts'
import type { CallParts } from './call-tool.ts'

const MOST_OUTPUT = 1024 * 1024
/** How long a tool that was told to end may take before the loop ends without it. */
const GRACE_MS = 10_000

/** What one running tool may use. INVARIANT: L10, what it says while it runs has a bound. */
export function toolRun(callId: string, mayRead: ToolRun['mayRead'], parts: CallParts): ToolRun {
  const { workspace, signal, label: agent, emit } = parts
  let left = MOST_OUTPUT
  return {
    workspace,
    signal,
    callId,
    mayRead,
    output(stream, text) {
      if (left <= 0) return
      const shown = text.length <= left ? text : `${text.slice(0, left)}\n[… further output is not shown …]\n`
      left -= text.length
      emit({ kind: 'output', agent, callId, stream, text: shown.toWellFormed() })
    },
  }
}

/** A tool that does not end although it was told to does not keep the loop. Its outcome is recorded whenever it ends. */
export function overdue(
  callId: string,
  { signal, clock }: Pick<CallParts, 'signal' | 'clock'>,
): { readonly late: Promise<ToolResult>; cancel(): void } {
  let cancel = (): void => {}
  const late = new Promise<ToolResult>((resolve) => {
    const message = 'it was told to stop and has not ended; it may still be at work'
    const start = (): void => {
      cancel = clock.after(GRACE_MS, () => resolve({ kind: 'failed', callId, error: null, message, recorded: false }))
    }
    if (signal.aborted) start()
    else {
      signal.addEventListener('abort', start, { once: true })
      cancel = () => signal.removeEventListener('abort', start)
    }
  })
  return { late, cancel: () => cancel() }
}
