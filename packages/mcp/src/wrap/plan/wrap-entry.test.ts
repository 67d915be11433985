import { describe, expect, it } from 'vitest'
import { machine } from './machine.fixture.ts'

describe('a server with a URL', () => {
  it.each([
    ['ws://h.example/mcp', true],
    ['wss://${HOST}/mcp', true],
    ['h.example/mcp', true],
    ['localhost:3000/mcp', true],
    ['http://', true],
    ['HTTPS://h.example/mcp', false],
    ['https://${HOST}/mcp', false],
    ['${input:address}', false],
  ])('is left, with the reason, if no proxy could connect to it: %s, %s', (url, isLeft) => {
    const { write, placed, wrap } = machine()
    write('.cursor/mcp.json', JSON.stringify({ mcpServers: { a: { url } } }))
    const [a] = wrap(placed('cursor', '.cursor/mcp.json')).servers
    if (isLeft) expect(a?.left).toContain('neither `http://` nor `https://`')
    else expect(a?.left).toBeNull()
  })
})
