/** A rule for a tool also applies when another tool calls it, and through the proxy. */

import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { recordedServer } from '../mcp/support/recorded-server.ts'
import { openRelayHome, startClient } from '../mcp/support/relay-home.ts'

const POLICY = `version: 1
rules:
  - { tool: "many/*", supervision: automatic, up_to: critical }
  - { id: no-notes, tool: "many/note", supervision: deny }
  - { tool: "many/ask", supervision: confirm }
`

const DENIED: readonly (readonly [name: string, args: object])[] = [
  ['note', { text: 'x' }],
  ['invoke_tool', { name: 'note', arguments: { text: 'x' } }],
  ['invoke_tool', { server: 'many', tool: 'note', args: '{"text":"x"}' }],
  ['invoke_tool', { tool_name: 'mcp__many__note', arguments: {} }],
  ['invoke_tool', { name: 'invoke_tool', arguments: { name: 'note', arguments: {} } }],
  ['invoke_tool', { name: 'note', tool: 'echo', arguments: {} }],
  ['invoke_tool', { tool: 'echo', input: [{ name: 'note', arguments: {} }] }],
  ['batch', { tool: 'echo', calls: [{ name: 'note', arguments: {} }] }],
  ['batch', { calls: '[{"name":"note","arguments":{}}]' }],
  [
    'batch',
    {
      calls: [
        { tool: 'echo', args: {} },
        { tool: 'note', args: {} },
      ],
    },
  ],
]

describe('a tool that calls others, behind the proxy', () => {
  it('A1 is denied or held if the inner tool is, and runs otherwise', async () => {
    const home = openRelayHome(temporaryFolder(), POLICY)
    onTestFinished(() => home.close())
    const server = recordedServer(home, 'many', ['meta'])
    const peer = await startClient(server.command)
    const call = (id: number, name: string, args: object) =>
      peer.ask({ id, method: 'tools/call', params: { name, arguments: args } })
    for (const [at, [name, args]] of DENIED.entries()) {
      const { result } = await call(at, name, args)
      expect([name, result.isError, result.content?.[0]?.text]).toEqual([name, true, expect.stringContaining('denied')])
    }
    expect(server.effects()).toEqual([])
    const held = call(50, 'invoke_tool', { name: 'ask', arguments: {} })
    const [view] = await home.held(1)
    expect(server.effects()).toEqual([])
    if (view !== undefined) await home.decide(view, { kind: 'reject' })
    expect((await held)['result']).toMatchObject({ isError: true })
    expect((await call(60, 'invoke_tool', { name: 'echo', arguments: {} }))['result'].isError).toBeFalsy()
    expect(server.effects().map(({ args }) => args)).toEqual([{ name: 'echo', arguments: {} }])
    await peer.end()
  }, 60_000)
})
