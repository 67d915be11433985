import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { StdioTransport } from './stdio-transport.ts'

const LAST_WORDS = `
  process.on('SIGTERM', () => { process.stderr.write('no licence found'); process.exit(3) })
  const fs = require('node:fs')
  fs.closeSync(0)
  fs.writeSync(1, JSON.stringify({ jsonrpc: '2.0', method: 'ready' }) + '\\n')
  setTimeout(() => {}, 60_000)
`

describe('a server process that stopped reading', () => {
  it('has told its last words when closing is over, whoever closed it first', async () => {
    const transport = new StdioTransport({ command: process.execPath, args: ['-e', LAST_WORDS] }, temporaryFolder())
    const ready = new Promise<void>((resolve) => {
      transport.onmessage = () => resolve()
    })
    await transport.start()
    await ready
    await expect(transport.send({ jsonrpc: '2.0', method: 'ping', id: 1 })).rejects.toThrow('EPIPE')
    void transport.close()
    await transport.close()
    expect(transport.stderr).toBe('no licence found')
  })
})
