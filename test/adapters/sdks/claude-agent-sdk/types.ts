/** Compiled, never run: what people see of the types. `Is` fails to compile for types that differ, and `any` differs from all. */

import { type Options, query } from '@anthropic-ai/claude-agent-sdk'
import { type AskingGate, type ClaudeOptions, gateOptions } from '@countersign/adapters/claude-agent-sdk'
import type { connectGate, openGate } from '@countersign/node'

type Is<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : never
function is<_Proof extends true>(): void {}

declare const gate: AskingGate
declare const opened: Awaited<ReturnType<typeof openGate>>['gate']
declare const connected: Awaited<ReturnType<typeof connectGate>>
declare const options: Options

// Options keep their type, through both kinds of gate.
const gated = gateOptions(options, gate, { agent: 'writer', tools: { Bash: { requiresConfirmation: true } } })
is<Is<typeof gated, Options>>()
query({ prompt: 'go', options: gateOptions({ model: 'x', permissionMode: 'acceptEdits' }, opened) })
query({ prompt: 'go', options: gateOptions({}, connected, { ungated: ['TodoWrite'] }) })

// @ts-expect-error: a desk can't be asked
gateOptions(options, {})
// @ts-expect-error: the SDK has no pause that outlives its process
gateOptions(options, gate, { durable: { run: 'x' } })

// Nothing that people see is `any`.
is<Is<Parameters<typeof gateOptions>[1], AskingGate>>()
is<Is<ClaudeOptions['ungated'], readonly string[] | undefined>>()
