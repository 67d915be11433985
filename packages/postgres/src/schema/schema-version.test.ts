import { createHash } from 'node:crypto'
import { CALL_STATES } from '@countersign/core'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { describe, expect, it } from 'vitest'
import { parseStoreAddress } from '../connection/address.ts'
import { connect, send, TIMEOUTS } from '../connection/client.ts'
import { tablesOf } from './schema.ts'
import { checkSchema, migrateSchema, readSchema } from './schema-version.ts'
import { SCHEMA_STEPS, SCHEMA_VERSION } from './tables.ts'

describe('the versions of the tables', () => {
  it('never change once they are released', () => {
    const hashes = SCHEMA_STEPS.map((step) => createHash('sha256').update(step).digest('hex').slice(0, 16))
    expect(hashes).toEqual(['16d0346fa01174e9', '4eb57a03d9b10f30'])
  })

  it('know every state of a call', () => {
    const [, known = ''] = /state IN \(([^)]*)\)/.exec(SCHEMA_STEPS[0] ?? '') ?? []
    expect(known.split(', ')).toEqual(CALL_STATES.map((state) => `'${state}'`))
  })
})

describe.skipIf(missingPostgres())('a schema', () => {
  const server = usePostgres()

  async function run(text: string, address = parseStoreAddress(server.freshAddress())) {
    const client = await connect(address, TIMEOUTS)
    try {
      await send(client, [{ text }], TIMEOUTS)
    } finally {
      await client.end()
    }
  }

  it('is created once, also by several programs at a time', async () => {
    const address = parseStoreAddress(server.freshAddress())
    await expect(checkSchema(address)).rejects.toThrow('run `countersign store migrate`')
    const told = await Promise.all([1, 2, 3].map(() => migrateSchema(address)))
    expect(told.map(({ kind }) => kind).sort()).toEqual(['created', 'current', 'current'])
    expect(await readSchema(address)).toEqual({ kind: 'present', version: SCHEMA_VERSION, state: 'in use' })
    await checkSchema(address)
  })

  it('of a newer version is refused and left alone', async () => {
    const address = parseStoreAddress(server.freshAddress())
    await migrateSchema(address)
    await run(`UPDATE ${tablesOf(address.schema)('head')} SET version = 99`, address)
    const newer = { code: 'CS_STORE_VERSION', message: expect.stringContaining('update this program and restart it') }
    await expect(checkSchema(address)).rejects.toMatchObject(newer)
    await expect(migrateSchema(address)).rejects.toMatchObject(newer)
    expect(await readSchema(address)).toEqual({ kind: 'present', version: 99, state: 'in use' })
  })

  it('of something else is refused', async () => {
    const address = parseStoreAddress(server.freshAddress())
    await run(`CREATE SCHEMA "${address.schema}"; CREATE TABLE "${address.schema}".head (size bigint)`, address)
    await expect(migrateSchema(address)).rejects.toThrow('is not a Countersign store')
  })

  it.each([
    ['a missing server', (address: string) => address.replace('host=', 'host=%2Fdoes-not-exist'), 'no socket'],
    ['a missing database', (address: string) => address.replace('/postgres?', '/nowhere?'), 'createdb'],
    ['an unknown user', (address: string) => address.replace('test@', 'nobody@'), 'check'],
  ])('on %s is refused with what to do', async (_, change, advice) => {
    const address = parseStoreAddress(change(server.freshAddress()))
    await expect(migrateSchema(address)).rejects.toMatchObject({
      code: 'CS_STORE_OPEN',
      message: expect.stringContaining(advice),
    })
  })
})
