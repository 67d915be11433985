import { isJsonObject, type JsonObject } from '@countersign/core'
import type { HostContract } from '../contract/host-contract.ts'
import { type ClaudeStyle, readClaudeEvent } from './claude-events.ts'
import { type Line, lastWordsOf, partsOf } from './conversation.ts'
import { type NestedDeny, type NestedRewrite, nestedDeny, nestedRewrite } from './nested-answer.ts'
import { type AnswerShapes, printAnswer } from './printing.ts'
import type { Reason } from './reason.ts'
import { exitCodeIn, failedEnd, toolEnd } from './tool-output.ts'

const STYLE: ClaudeStyle = {
  title: 'Claude Code',
  others: [
    'UserPromptSubmit',
    'Notification',
    'SubagentStart',
    'SubagentStop',
    'Stop',
    'PreCompact',
    'PermissionDenied',
  ],
  // A command that returned something else than 0 has an event of its own, unless Claude Code takes the code for an answer.
  ended: (_, response) =>
    isJsonObject(response) && response['interrupted'] === true ? failedEnd(response) : toolEnd(response),
  failed: (error) => failedEnd(error, exitCodeIn(error, /^Exit code (\d{1,3})(?:\n|$)/)),
  transcript: (named, agent) =>
    named !== null && agent !== null && /^[\w-]+$/.test(agent)
      ? named.replace(/\.jsonl$/, `/subagents/agent-${agent}.jsonl`)
      : named,
}

interface Decision {
  readonly hookSpecificOutput: {
    readonly hookEventName: 'PreToolUse'
    readonly permissionDecision: 'allow' | 'ask'
    readonly permissionDecisionReason: Reason
    readonly updatedInput?: JsonObject
  }
}

const SHAPES: AnswerShapes<NestedDeny | NestedRewrite | Decision> = {
  deny: nestedDeny,
  // Its own deny rules still apply to a call that a hook allowed; only its prompt is skipped.
  allow: (reason) => decision('allow', reason),
  allowWith: nestedRewrite,
  ask: (reason) => decision('ask', reason),
  askWith: (args, reason) => decision('ask', reason, { updatedInput: args }),
}

function decision(
  permissionDecision: 'allow' | 'ask',
  permissionDecisionReason: Reason,
  rest: { readonly updatedInput?: JsonObject } = {},
): Decision {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason, ...rest } }
}

function lineOf({ type, message }: JsonObject): Line {
  if (!isJsonObject(message)) return null
  const { content } = message
  if (type === 'assistant') return { said: partsOf(content, 'text'), reasoning: partsOf(content, 'thinking') }
  // The results of tools are messages of the user too.
  return type === 'user' && (typeof content === 'string' || partsOf(content, 'text') !== null) ? 'prompt' : null
}

/** Claude Code. */
export const claudeCode: HostContract = {
  name: 'claude-code',
  title: STYLE.title,
  evidence: 'proven',
  rewrites: true,
  events: [
    { name: 'PreToolUse', kind: 'before' },
    { name: 'PostToolUse', kind: 'report' },
    { name: 'PostToolUseFailure', kind: 'report' },
    { name: 'SessionStart', kind: 'report' },
    { name: 'SessionEnd', kind: 'report' },
  ],
  shells: ['Bash'],
  own: [
    'Agent',
    'AskUserQuestion',
    'BashOutput',
    'EnterPlanMode',
    'ExitPlanMode',
    'KillShell',
    'ListAgents',
    'ListMcpResourcesTool',
    'ReportFindings',
    'SendMessage',
    'Task',
    'TaskCreate',
    'TaskGet',
    'TaskList',
    'TaskOutput',
    'TaskStop',
    'TaskUpdate',
    'TodoWrite',
    'ToolSearch',
  ],
  asks: true,
  refusesByExit: true,
  // With `onFailure: block`, from version 2.1.295 on; before that it runs the tool.
  onTimeout: 'refuses',
  read: (payload, event) => readClaudeEvent(payload, event, STYLE),
  lastWords: (text) => lastWordsOf(text, lineOf),
  print: (answer) => printAnswer(answer, SHAPES),
}
