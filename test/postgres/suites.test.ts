import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { describe, expect, it } from 'vitest'
import config from '../../vitest.config.ts'
import { filesOnPostgres, filesWithStore, SQLITE_ONLY } from './suites.ts'

const root = join(import.meta.dirname, '../..')

describe.skipIf(missingPostgres())('the suites that use a store', () => {
  it('run on PostgreSQL too, in a project of their own', () => {
    const names = (config.test?.projects ?? []).map((project) => JSON.stringify(project))
    const [project = ''] = names.filter((text) => text.includes('"name":"postgres"'))
    for (const file of filesOnPostgres()) expect(project).toContain(file)
    for (const suite of ['acceptance', 'laws', 'simulation', 'faults', 'security'])
      expect(filesOnPostgres().some((file) => file.startsWith(`test/${suite}/`))).toBe(true)
  })

  it('leave out only files that exist, each for a reason', () => {
    for (const [file, reason] of Object.entries(SQLITE_ONLY)) {
      expect(existsSync(join(root, file)), file).toBe(true)
      expect(reason).not.toBe('')
    }
    expect(filesWithStore().length - filesOnPostgres().length).toBeLessThanOrEqual(Object.keys(SQLITE_ONLY).length)
  })
})
