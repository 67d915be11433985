import { statSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { withFileLock } from './file-lock.ts'

describe('a file lock for asynchronous work', () => {
  it('admits one holder at a time, also within a process, and is released after a failure', async () => {
    const path = join(temporaryFolder(), 'work.lock')
    const did: string[] = []
    const first = Promise.withResolvers<void>()
    const one = withFileLock(path, 10_000, 'CS_HOME', async () => {
      did.push('one begins')
      await first.promise
      did.push('one ends')
      throw new Error('it failed')
    })
    const two = withFileLock(path, 10_000, 'CS_HOME', async () => void did.push('two'))
    first.resolve()
    await expect(one).rejects.toThrow('it failed')
    await two
    expect(did).toEqual(['one begins', 'one ends', 'two'])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('has a timeout', async () => {
    const path = join(temporaryFolder(), 'work.lock')
    const held = Promise.withResolvers<void>()
    const one = withFileLock(path, 0, 'CS_HOME', () => held.promise)
    await expect(withFileLock(path, 0, 'CS_HOME', async () => {})).rejects.toThrow(/locked for too long/)
    held.resolve()
    await one
  })
})
