import { describe, expect, it } from 'vitest'
import { serverLabel } from './server-label.ts'

describe('the label of a server', () => {
  it.each([
    ['npx -y @modelcontextprotocol/server-filesystem@1.2 /data', 'server-filesystem'],
    ['node /opt/tools/my-server.mjs --port 1', 'my-server'],
    ['uvx mcp-server-git', 'mcp-server-git'],
    ['python3 -m weather', 'weather'],
    ['/usr/local/bin/memory', 'memory'],
  ])('of `%s` is %s', (command, label) => {
    expect(serverLabel(undefined, command.split(' '))).toBe(label)
  })

  it('is the given one, and never one that policies could not name', () => {
    expect(serverLabel('files', ['npx', 'x'])).toBe('files')
    for (const odd of ['', 'a/b', 'a b', '-a', 'a'.repeat(65), 'ä'])
      expect(() => serverLabel(odd, ['x'])).toThrow(expect.objectContaining({ code: 'CS_USAGE' }))
    expect(() => serverLabel(undefined, ['npx', '-y'])).toThrow(expect.objectContaining({ code: 'CS_USAGE' }))
  })
})
