import type { JsonObject } from '@countersign/core'
import type { Reason } from './reason.ts'

/** A refusal in Claude Code's format, which Codex and VS Code obey as well. Codex ignores it without a reason. */
export interface NestedDeny {
  readonly hookSpecificOutput: {
    readonly hookEventName: 'PreToolUse'
    readonly permissionDecision: 'deny'
    readonly permissionDecisionReason: Reason
  }
}

/** Leave for a call with other arguments, in the same format. */
export interface NestedRewrite {
  readonly hookSpecificOutput: {
    readonly hookEventName: 'PreToolUse'
    readonly permissionDecision: 'allow'
    readonly permissionDecisionReason: Reason
    readonly updatedInput: JsonObject
  }
}

export function nestedDeny(permissionDecisionReason: Reason): NestedDeny {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason } }
}

export function nestedRewrite(updatedInput: JsonObject, permissionDecisionReason: Reason): NestedRewrite {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      permissionDecisionReason,
      updatedInput,
    },
  }
}
