import { describe, expect, it } from 'vitest'
import { isPlainUrl, redactUrls, redactWord } from './redacted-command.ts'

describe('a URL', () => {
  it.each([
    'https://mcp.example/mcp',
    'http://127.0.0.1:8931/mcp',
    'https://api.example.com/mcp/',
    'https://h/v1/my-server/mcp',
    'https://h',
  ])('%s is shown unchanged', (address) => {
    expect(isPlainUrl(address)).toBe(true)
    expect(redactUrls(`see ${address} there`)).toBe(`see ${address} there`)
  })

  it.each([
    ['https://h/mcp?tavilyApiKey=x&profile=y', 'https://h/mcp?…'],
    ['https://h/mcp?', 'https://h/mcp'],
    ['https://mcp.zapier.example/api/mcp/s/lkjhg-5/mcp', 'https://mcp.zapier.example/api/mcp/s/…/mcp'],
    ['https://h/MDQ0ZWE0/mcp', 'https://h/…/mcp'],
    [`https://h/${'a'.repeat(40)}/mcp`, 'https://h/…/mcp'],
    ['https://me:word@h/mcp', 'https://…@h/mcp'],
    ['https://h/mcp#token', 'https://h/mcp'],
    ['https://[', 'https://…'],
  ])('%s is shown as %s, and is not an argument', (address, shown) => {
    expect(isPlainUrl(address)).toBe(false)
    expect(redactUrls(address)).toBe(shown)
  })

  it('with another scheme loses its password', () => {
    expect(redactUrls('postgres://me:word@host/Db')).toBe('postgres://…@host/Db')
  })
})

describe('a word of a command line', () => {
  it.each([
    [undefined, 'npx', 'npx'],
    ['--apikey', '-dash-9', '…'],
    ['--token', 'x', '…'],
    ['--header', 'X: y', '…'],
    ['-e', 'API_KEY=z', 'API_KEY=…'],
    [undefined, '--password=hunter', '--password=…'],
    [undefined, 'Authorization:Bearer x', 'Authorization:…'],
    ['--pat', 'x', '…'],
    ['-e', 'GITHUB_PAT=z', 'GITHUB_PAT=…'],
    ['--path', 'src', 'src'],
    [undefined, 'COMPAT=1', 'COMPAT=1'],
    ['-y', '@scope/server@1.2', '@scope/server@1.2'],
    ['--dir', '/home/you/Documents', '/home/you/Documents'],
    [undefined, '--endpoint=https://h/x?k=1', '--endpoint=https://h/x?…'],
  ])('after %j, %j is shown as %j', (before, word, shown) => {
    expect(redactWord(before, word)).toBe(shown)
  })
})
