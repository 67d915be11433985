import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

const refused = async (...line: readonly string[]) => {
  const folder = temporaryFolder()
  const { stderr, code } = await runInProcess(['serve', '--port', '0', ...line], {
    cwd: folder,
    home: `${folder}/home`,
  })
  expect(code).not.toBe(0)
  return stderr
}

describe('countersign serve', () => {
  it('accepts web pages only by port and origin together', async () => {
    expect(await refused('--page-port', '0')).toContain('belong together')
    expect(await refused('--page-origin', 'https://app.example')).toContain('belong together')
    expect(await refused('--page-port', 'x', '--page-origin', 'https://app.example')).toContain('must be a port')
  })

  it.each(['http://gate.example', 'https://gate.example/inbox', 'https://me@gate.example', 'gate.example'])(
    'refuses the public URL `%s`: no other device reaches the inbox without TLS',
    async (url) => {
      expect(await refused('--public-url', url)).toContain('must be an https URL without a path')
    },
  )

  it.each(['*', 'https://app.example/page', 'http://app.example'])('refuses pages of `%s`', async (origin) => {
    expect(await refused('--page-port', '0', '--page-origin', origin)).toMatch(/is not an origin|must be https/)
  })
})
