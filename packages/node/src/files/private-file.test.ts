import { readdirSync } from 'node:fs'
import { runNode } from '@countersign/testing/command/run-node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

describe('a folder of this account', () => {
  it('can be made by several processes at once', { timeout: 60_000 }, async () => {
    const parent = temporaryFolder()
    const source = `
      import { openOwnFolder } from './packages/node/src/files/private-file.ts'
      const [parent, start] = process.argv.slice(1)
      while (Date.now() < Number(start)) {}
      for (let n = 0; n < 400; n += 1) openOwnFolder(parent + '/outer' + n + '/inner', 'CS_HOME')`
    const start = String(Date.now() + 1_500)
    await Promise.all([1, 2, 3, 4].map(() => runNode(source, [parent, start])))
    expect(readdirSync(parent)).toHaveLength(400)
  })
})
