import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import type { Io } from '../../terminal/io.ts'
import { listenPlace } from './http-proxy.ts'
import { serverHeaders } from './server-headers.ts'

const io = (text?: string): Io => ({ env: { COUNTERSIGN_MCP_HEADERS: text } }) as unknown as Io

describe('an HTTP server on the command line', () => {
  it('gets the headers from the variable, overridden by those from the option', () => {
    expect(serverHeaders(['X-Team: b: c'], io('Authorization: Bearer one\nX-Team: a'))).toEqual({
      authorization: 'Bearer one',
      'x-team': 'b: c',
    })
  })

  it('gets headers with the value of a named variable, overriding the default one', () => {
    const env = { TOKEN: 's3', KEY: 'k', COUNTERSIGN_MCP_HEADERS: 'authorization: other' }
    expect(serverHeaders(['A: b'], { env } as unknown as Io, ['Authorization: Bearer TOKEN', 'X-Key: KEY'])).toEqual({
      authorization: 'Bearer s3',
      'x-key': 'k',
      a: 'b',
    })
  })

  it.each([
    ['Authorization: Bearer TOKEN', '`TOKEN` for the header `Authorization` is not set'],
    ['X: EMPTY', '`EMPTY` for the header `X` is not set'],
    ['X: no-variable', '--header-env'],
    ['X', '--header-env'],
    ['X: a b C', '--header-env'],
  ])('is not started without the variable in %j', (text, why) => {
    const env = { EMPTY: '' }
    expect(() => serverHeaders([], { env } as unknown as Io, [text])).toThrow(
      expect.objectContaining({ code: 'CS_USAGE', message: expect.stringContaining(why) }),
    )
  })

  it.each(['no colon', ': no name', 'bad name: x', 'X: line\nbreak'])('refuses %j as a header', (text) => {
    expect(() => serverHeaders([text], io())).toThrow(/header/)
  })

  it.each([
    ['4190', { host: '127.0.0.1', port: 4190 }],
    ['localhost:0', { host: 'localhost', port: 0 }],
    ['[::1]:80', { host: '[::1]', port: 80 }],
  ])('listens at %s', (text, place) => {
    expect(listenPlace(text, ['gate.example'])).toEqual({ ...place, allowedHosts: ['gate.example'] })
  })

  it.each(['', 'host', '1:2:3', 'x y:1', '70000', 'a:'])('does not listen at %j', (text) => {
    expect(() => listenPlace(text, [])).toThrow(/--listen/)
  })

  it.each(['', 'https://gate.example', 'gate.example/mcp', 'a b', '*'])('cannot be named %j', (name) => {
    expect(() => listenPlace('4190', [name])).toThrow(/--allow-host/)
  })

  it.each([
    [['--listen', '0', '--name', 'x', '--', 'server'], '--url'],
    [['--url', 'http://127.0.0.1:9/', '--', 'server'], 'a URL or a command'],
    [['--header', 'a: b', '--', 'server'], '--header'],
    [['--allow-host', 'gate.example', '--', 'server'], '--listen'],
    [['--elicit', 'decide', '--', 'server'], 'off or show'],
    [['--url', 'ftp://127.0.0.1/'], 'not a server URL'],
    [['--url', 'ftp://x'], 'not a server URL'],
    [['--url', 'nonsense'], 'not a server URL'],
    [[], '--url'],
  ])('refuses flags that do not match: %j', async (words, said) => {
    const folder = temporaryFolder()
    const { code, stderr } = await runInProcess(['mcp', ...words], { cwd: folder, home: `${folder}/home` })
    expect(code).toBe(125)
    expect(stderr).toContain(said)
  })
})
