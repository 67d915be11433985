import { isJsonObject, type JsonObject } from '@countersign/core'
import type { HostContract } from '../contract/host-contract.ts'
import { type ClaudeStyle, readClaudeEvent } from './claude-events.ts'
import { type Line, lastWordsOf, partsOf } from './conversation.ts'
import { type NestedDeny, type NestedRewrite, nestedDeny, nestedRewrite } from './nested-answer.ts'
import { type AnswerShapes, printAnswer } from './printing.ts'
import { exitCodeIn, toolEnd } from './tool-output.ts'

const STYLE: ClaudeStyle = {
  title: 'Codex',
  others: ['UserPromptSubmit', 'SubagentStart', 'SubagentStop', 'Stop', 'PreCompact', 'PostCompact'],
  // Codex reports only the output of a shell command: an exit code in it could be text printed by the command.
  ended: (tool, response) =>
    toolEnd(
      response,
      tool === 'apply_patch' && typeof response === 'string' ? exitCodeIn(response, /^Exit code: (\d{1,3})\n/) : null,
    ),
}

const SHAPES: AnswerShapes<NestedDeny | NestedRewrite> = {
  deny: nestedDeny,
  // Codex treats `allow` without new arguments as a hook error. Without output, its own rules and prompt decide.
  allow: () => null,
  allowWith: nestedRewrite,
}

function lineOf({ type, payload }: JsonObject): Line {
  if (type !== 'response_item' || !isJsonObject(payload)) return null
  const { type: kind, role, content, summary } = payload
  if (kind === 'reasoning')
    return { reasoning: partsOf(summary, 'summary_text') ?? partsOf(content, 'reasoning_text', 'text') }
  if (kind !== 'message') return null
  if (role === 'user') return 'prompt'
  return role === 'assistant' ? { said: partsOf(content, 'output_text') } : null
}

/** Codex. */
export const codex: HostContract = {
  name: 'codex',
  title: STYLE.title,
  evidence: 'proven',
  rewrites: true,
  events: [
    { name: 'PreToolUse', kind: 'before' },
    { name: 'PostToolUse', kind: 'report' },
    { name: 'SessionStart', kind: 'report' },
    { name: 'SessionEnd', kind: 'report' },
  ],
  shells: ['Bash'],
  own: [
    'create_goal',
    'get_goal',
    'request_user_input',
    'update_goal',
    'update_plan',
    'view_image',
    'close_agent',
    'resume_agent',
    'send_input',
    'spawn_agent',
    'wait_agent',
    'multi_agent_v1close_agent',
    'multi_agent_v1resume_agent',
    'multi_agent_v1send_input',
    'multi_agent_v1spawn_agent',
    'multi_agent_v1wait_agent',
  ],
  asks: false,
  refusesByExit: true,
  onTimeout: 'runs',
  read: (payload, event) => readClaudeEvent(payload, event, STYLE),
  lastWords: (text) => lastWordsOf(text, lineOf),
  print: (answer) => printAnswer(answer, SHAPES),
}
