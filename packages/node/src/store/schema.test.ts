import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { CALL_STATES } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { SCHEMA_STEPS, schemaFrom } from './schema.ts'
import { copyStore } from './store-copy.ts'
import { opened } from './store-fixture.mts'

describe('the versions of the store', () => {
  it('never change once they are released', () => {
    const hashes = SCHEMA_STEPS.map((step) => createHash('sha256').update(step).digest('hex').slice(0, 16))
    expect(hashes).toEqual(['62e90dd18931589a', '6a92d33d09ae33d5', 'fc73bb509c593220'])
  })

  it('know every state of a call', () => {
    const [, known = ''] = /state IN \(([^)]*)\)/.exec(schemaFrom(0)) ?? []
    expect(known.split(', ')).toEqual(CALL_STATES.map((state) => `'${state}'`))
  })

  it('keep the last two copies of each version', async () => {
    const { store, file } = await opened()
    await store.close()
    for (let day = 1; day <= 4; day += 1) copyStore(file, 1, Date.UTC(2026, 0, day))
    copyStore(file, 2, Date.UTC(2026, 0, 3))
    copyStore(file, 1, Date.UTC(2025, 0, 1)) // made last, by a clock that was set back
    expect(readdirSync(dirname(file)).filter((name) => name.includes('.v'))).toEqual([
      'store.v1.20250101T000000000Z.db',
      'store.v1.20260104T000000000Z.db',
      'store.v2.20260103T000000000Z.db',
    ])
  })
})
