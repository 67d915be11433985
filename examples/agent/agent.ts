/**
 * A complete agent: a scripted model, the built-in tools, a gate, and a simulated person who rejects what the agent asks
 * for. The agent then does something else, which the policy allows with a notice.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { BUILTIN_TOOLS, createAgent, readScript, scriptedModel } from '@countersign/agent'
import { decide, openApprover, openGate } from '@countersign/node'

const script = readFileSync(new URL('script.yaml', import.meta.url), 'utf8')
writeFileSync('notes.txt', 'milk\nbread\n')

const { gate, desk, home, ports } = await openGate({ home: 'gate-home' })
const approver = openApprover(home, { name: 'Ana' })

async function playAna(): Promise<void> {
  for await (const view of desk.held()) {
    console.log(`Ana sees: ${view.effect}, risk ${view.risk.level}`)
    const decision = { kind: 'reject', reason: 'keep them' } as const
    await decide(desk, view, decision, { approver, surface: 'example', crypto: ports.crypto })
    return
  }
}

const model = scriptedModel(readScript(script, 'script.yaml'))
const agent = createAgent({ name: 'tidy', model, gate, tools: BUILTIN_TOOLS, workspace: process.cwd() })
const steps: string[] = []
agent.subscribe((event) => {
  if ('callId' in event) steps.push(event.kind)
  if (event.kind === 'text') process.stdout.write(event.text)
  if (event.kind === 'usage') console.log()
  if (event.kind === 'completed') console.log(`→ ran${event.backup ? ', with a copy kept' : ''}`)
  if (event.kind === 'refused') console.log(`→ ${event.refusal.outcome}`)
})

const ana = playAna()
const stop = await agent.say('tidy up my notes')
await ana
await gate.close()

assert.equal(stop.why, 'done')
assert.equal(readFileSync('notes.txt', 'utf8'), 'milk (old)\nbread (old)\n')
assert.deepEqual(steps, [
  ...['requested', 'judged', 'started', 'completed'], // reading
  ...['requested', 'judged', 'held', 'refused'], // asking
  ...['requested', 'refused'], // deleting: not asked again
  ...['requested', 'judged', 'notice', 'started', 'completed'], // marking
])
