import { describe, expect, it } from 'vitest'
import type { HostTool } from '../contract/host-event.ts'
import { contractOf } from '../hosts/contracts.ts'
import { hostCall } from './host-call.ts'

const SESSION = { id: 'a'.repeat(32), workspace: '/srv/work' }
const TOOL: HostTool = {
  session: 's',
  cwd: null,
  transcript: null,
  toolCall: 't',
  tool: 'attempt_completion',
  server: null,
  args: { result: 'done' },
  agent: null,
}

describe('a tool of the agent itself', () => {
  it('only reads', () => {
    expect(hostCall(TOOL, contractOf('cline'), SESSION)).toMatchObject({ description: { kind: 'read' } })
  })

  it.each<[string, Partial<HostTool>]>([
    ['it is given a command', { args: { result: 'done', command: 'rm -rf ~' } }],
    ['a server has one of the same name', { server: 'board' }],
    ['it is another tool', { tool: 'attempt_completions' }],
  ])('is judged like any other if %s', (_, more) => {
    expect(hostCall({ ...TOOL, ...more }, contractOf('cline'), SESSION)).not.toHaveProperty('description')
  })
})
