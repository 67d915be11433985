import type { GateContext } from '../approval/context/gate-context.ts'
import type { Outcome } from '../approval/outcome/outcome.ts'
import type { Permit } from '../approval/outcome/permit.ts'
import type { Refusal } from '../approval/outcome/refusal.ts'
import { CountersignError } from '../errors.ts'
import { settle } from './settle.ts'

const MAX_MESSAGE = 10_000

/** How a run ended, as its caller is told. */
export type ToolResult =
  | { readonly kind: 'completed'; readonly callId: string; readonly value: unknown; readonly recorded: boolean }
  | {
      readonly kind: 'failed'
      readonly callId: string
      readonly error: unknown
      readonly message: string
      readonly recorded: boolean
    }
  | Refusal

/** Runs the frozen arguments under a permit that was just spent on them, and records how it ended. */
export async function execute(
  permit: Permit,
  run: (args: Permit['args']) => unknown,
  context: GateContext,
): Promise<ToolResult> {
  try {
    const value = await run(permit.args)
    return {
      kind: 'completed',
      callId: permit.callId,
      value,
      recorded: await record(permit, 'completed', null, context),
    }
  } catch (error) {
    const message = messageOf(error)
    return {
      kind: 'failed',
      callId: permit.callId,
      error,
      message,
      recorded: await record(permit, 'failed', message, context),
    }
  }
}

/** The effect has happened: a journal that fails now cannot undo it, so the entry stays missing and is later *unknown*. */
async function record(permit: Permit, outcome: Outcome, detail: string | null, context: GateContext): Promise<boolean> {
  try {
    await settle(permit, outcome, detail, context)
    return true
  } catch (error) {
    const code = error instanceof CountersignError ? error.code : 'CS_INTERNAL'
    context.events.emit({
      kind: 'problem',
      code,
      message: `call \`${permit.callId}\` ran, but its outcome could not be recorded`,
    })
    return false
  }
}

/** INVARIANT: L7, the tool ran, whatever it threw: nothing about that value may turn this into a refusal. */
function messageOf(thrown: unknown): string {
  try {
    const text: unknown = thrown instanceof Error ? thrown.message : thrown
    return String(text).slice(0, MAX_MESSAGE).toWellFormed()
  } catch {
    return 'the tool threw something that cannot be read'
  }
}
