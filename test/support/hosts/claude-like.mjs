#!/usr/bin/env node
// Behaves like Claude Code, as far as a canary sees it. Its first argument can be a way to misbehave.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const [way] = process.argv.slice(2)
const { HOME = '', ANTHROPIC_BASE_URL: origin } = process.env
if (way === '--version') {
  console.log('2.1.327 (Claude Code)')
  process.exit()
}
if (way === 'gives up') process.exit(3)

const messages = [{ role: 'user', content: 'Follow the plan.' }]
async function ask() {
  const body = JSON.stringify({ model: 'stand-in', messages, tools: [{ name: 'Bash' }] })
  const { content } = await (await fetch(`${origin}/v1/messages`, { method: 'POST', body })).json()
  messages.push({ role: 'assistant', content })
  return content.find(({ type }) => type === 'tool_use')
}

/** Why the tool may not run; undefined if it may. */
function refusal(input, id) {
  const { hooks } = JSON.parse(readFileSync(join(HOME, '.claude/settings.json'), 'utf8'))
  for (const { command, timeout, onFailure } of hooks.PreToolUse.flatMap((group) => group.hooks)) {
    const event = {
      session_id: 'session-1',
      transcript_path: join(HOME, 'transcript.jsonl'),
      cwd: process.cwd(),
      permission_mode: 'default',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: input,
      tool_use_id: id,
    }
    const options = { input: JSON.stringify(event), encoding: 'utf8', timeout: timeout * 1000 }
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], options)
    if (way === 'ignores hooks') continue
    if (status === 2) return stderr
    if (status !== 0) return onFailure === 'block' ? 'the hook failed' : undefined
    const output = stdout.startsWith('{') ? JSON.parse(stdout).hookSpecificOutput : undefined
    if (output?.permissionDecision === 'deny') return output.permissionDecisionReason
  }
  return undefined
}

for (let call = await ask(); call !== undefined; call = await ask()) {
  const why = refusal(call.input, call.id)
  if (why === undefined) execFileSync('/bin/sh', ['-c', call.input.command])
  if (why === undefined && way === 'runs twice') execFileSync('/bin/sh', ['-c', call.input.command])
  messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: why ?? 'done' }] })
}
