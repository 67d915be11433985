import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HostAnswer } from '../contract/host-answer.ts'
import { HOST_NAMES, type HostName } from '../contract/host-name.ts'
import { contractOf } from './contracts.ts'

const WHY = 'NOT EXECUTED (denied): the policy denies the call.'
const ARGS = { command: 'echo "ü"\n', description: 'Other' }
const NESTED =
  '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"NOT EXECUTED (denied): the policy denies the call."}}'

const DENIED: Readonly<Record<HostName, string>> = {
  'claude-code': NESTED,
  codex: NESTED,
  'gemini-cli': `{"decision":"deny","reason":"${WHY}"}`,
  copilot: `{"permissionDecision":"deny","permissionDecisionReason":"${WHY}"}`,
  vscode: NESTED,
  cursor: `{"permission":"deny","user_message":"${WHY}","agent_message":"${WHY}"}`,
  opencode: `{"decision":"deny","reason":"${WHY}"}`,
  cline: `{"cancel":true,"errorMessage":"${WHY}"}`,
  goose: `{"decision":"block","reason":"${WHY}"}`,
}

const ALLOWED: Readonly<Record<HostName, string>> = {
  'claude-code':
    '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"Allowed by the Countersign policy"}}',
  codex: '',
  'gemini-cli': '{"decision":"allow"}',
  copilot: '{}',
  vscode: '{}',
  cursor: '{"permission":"allow"}',
  opencode: '{"decision":"allow"}',
  cline: '{"cancel":false}',
  goose: '{"decision":"allow"}',
}

const JSON_ARGS = '{"command":"echo \\"ü\\"\\n","description":"Other"}'
const NESTED_ARGS = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"Allowed by the Countersign policy","updatedInput":${JSON_ARGS}}}`

/** The hosts that are not here refuse. */
const REPLACED: Readonly<Partial<Record<HostName, string>>> = {
  'claude-code': NESTED_ARGS,
  codex: NESTED_ARGS,
  'gemini-cli': `{"decision":"allow","hookSpecificOutput":{"hookEventName":"BeforeTool","tool_input":${JSON_ARGS}}}`,
  copilot: `{"modifiedArgs":${JSON_ARGS}}`,
  opencode: `{"decision":"allow","args":${JSON_ARGS}}`,
}

const ASKED: Readonly<Partial<Record<HostName, string>>> = {
  'claude-code':
    '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"Medium risk: writes a file"}}',
  copilot: '{"permissionDecision":"ask","permissionDecisionReason":"Medium risk: writes a file"}',
}

const ALLOW: HostAnswer = { kind: 'allow', args: null, reason: 'Allowed by the Countersign policy' }
const ASK: HostAnswer = { kind: 'ask', args: null, reason: 'Medium risk: writes a file' }

function printedBy(name: HostName, answer: HostAnswer): string {
  const contract = contractOf(name)
  const event = contract.events.find(({ kind }) => kind === 'before')?.name
  const { stdout, stderr, exitCode } = contract.print(answer, event)
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
  expect(stdout).not.toMatch(/[\n\r]/)
  return stdout
}

/** The reason of a refusal as this host reads it; undefined for everything that it does not obey as a refusal. */
function refusalIn(name: HostName, stdout: string): string | undefined {
  const output = JSON.parse(stdout)
  const { hookSpecificOutput: nested = {} } = output
  const keys = Object.keys(output).join()
  switch (name) {
    case 'claude-code':
    case 'codex':
    case 'vscode': {
      const isShape = keys === 'hookSpecificOutput' && Object.keys(nested).length === 3
      const isDeny = nested.hookEventName === 'PreToolUse' && nested.permissionDecision === 'deny'
      return isShape && isDeny ? nested.permissionDecisionReason : undefined
    }
    case 'gemini-cli':
      return keys === 'decision,reason' && output.decision === 'deny' ? output.reason : undefined
    case 'copilot':
      return keys === 'permissionDecision,permissionDecisionReason' && output.permissionDecision === 'deny'
        ? output.permissionDecisionReason
        : undefined
    case 'cursor':
      return keys === 'permission,user_message,agent_message' && output.permission === 'deny'
        ? output.user_message
        : undefined
    case 'opencode':
      return keys === 'decision,reason' && output.decision === 'deny' ? output.reason : undefined
    case 'cline':
      return keys === 'cancel,errorMessage' && output.cancel === true ? output.errorMessage : undefined
    case 'goose':
      return keys === 'decision,reason' && output.decision === 'block' ? output.reason : undefined
  }
}

describe.each(HOST_NAMES)('an answer for %s', (name) => {
  const { rewrites, asks } = contractOf(name)

  it('is exactly the literal refusal of this host', () => {
    expect(printedBy(name, { kind: 'deny', reason: WHY })).toBe(DENIED[name])
  })

  it('is exactly the literal leave of this host', () => {
    expect(printedBy(name, ALLOW)).toBe(ALLOWED[name])
  })

  it('replaces arguments if the host was seen to do that, and refuses otherwise', () => {
    const stdout = printedBy(name, { ...ALLOW, args: ARGS })
    expect(rewrites).toBe(name in REPLACED)
    if (rewrites) expect(stdout).toBe(REPLACED[name])
    else expect(refusalIn(name, stdout)).toContain('NOT EXECUTED: this agent can’t replace arguments')
  })

  it('asks the host’s person if a hook can, and refuses otherwise', () => {
    const stdout = printedBy(name, ASK)
    expect(asks).toBe(name in ASKED)
    if (asks) expect(stdout).toBe(ASKED[name])
    else expect(refusalIn(name, stdout)).toMatch(/^NOT EXECUTED: it needs approval, .*writes a file/)
  })

  it('refuses arguments with half a character, which a host could fail to read', () => {
    for (const args of [{ command: 'echo \ud800' }, { list: [{ '\udc00': 1 }] }])
      expect(refusalIn(name, printedBy(name, { ...ALLOW, args }))).toMatch(/^NOT EXECUTED/)
  })

  it('is a refusal with a reason for every reason', () => {
    const reason = fc.oneof(
      fc.constantFrom('', ' ', '\n', '\0\x1b[2J\u202e', '\ud800', '\u200b', '⟦', '😀'),
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
    )
    const length = fc.constantFrom(1, 9_999, 10_001, 1_000_000)
    fc.assert(
      fc.property(reason, length, (part, most) => {
        const text = part.repeat(Math.ceil(most / (part.length || 1))).slice(0, most)
        const stdout = printedBy(name, { kind: 'deny', reason: text })
        const told = refusalIn(name, stdout)
        expect(told?.trim()).toBeTruthy()
        expect(told?.length).toBeLessThanOrEqual(10_000)
        expect(told?.isWellFormed()).toBe(true)
        expect(told).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
      }),
      { numRuns: 60 },
    )
  })
})

/** Refusals and questions that made the tool run, or wait for ever, in `test/hosts/dead-hooks.yaml`. */
describe('nothing that is printed', () => {
  const answers: readonly HostAnswer[] = [
    ALLOW,
    { ...ALLOW, args: ARGS },
    ASK,
    { ...ASK, args: ARGS },
    { kind: 'deny', reason: WHY },
    { kind: 'deny', reason: '' },
  ]
  const outputs = (name: HostName) =>
    answers
      .map((answer) => printedBy(name, answer))
      .filter((stdout) => stdout !== '')
      .map((stdout) => JSON.parse(stdout))

  it('is a question or a bare leave in Codex, which runs the tool after both or takes them for a failure', () => {
    for (const { hookSpecificOutput: nested } of outputs('codex')) {
      expect(nested.permissionDecision).not.toBe('ask')
      if (nested.permissionDecision === 'allow') expect(nested.updatedInput).toEqual(ARGS)
      else expect(nested.permissionDecisionReason).not.toBe('')
    }
  })

  it('is a question in Gemini CLI, which would wait for ever', () => {
    expect(outputs('gemini-cli').map(({ decision }) => decision)).not.toContain('ask')
  })

  it('is an `allow` in Copilot CLI, which would lift the person’s deny rules', () => {
    expect(outputs('copilot').map(({ permissionDecision }) => permissionDecision)).not.toContain('allow')
  })

  it('is silence in Cursor, which refuses', () => {
    for (const answer of answers) expect(printedBy('cursor', answer)).not.toBe('')
  })

  it.each(HOST_NAMES)('has a field that ends or hides something, in %s', (name) => {
    const text = JSON.stringify(outputs(name))
    expect(text).not.toMatch(/"(suppressOutput|continue|stopReason|systemMessage|review|updated_input|overrideInput)":/)
  })
})
