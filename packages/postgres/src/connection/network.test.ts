import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { CERTIFICATE } from '@countersign/testing/notify/certificate'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migrateSchema } from '../schema/schema-version.ts'
import { entry, freshSchema, openedAt, runOn } from '../store-fixture.mts'
import { parseStoreAddress } from './address.ts'

const PASSWORD = ['only', 'for', 'tests'].join('-')

describe.skipIf(missingPostgres())('a store over the network', () => {
  const server = usePostgres({ network: true })

  /** A role with a password, and the address of its store. */
  async function remote() {
    const { address, crypto } = await freshSchema(server)
    const { schema } = parseStoreAddress(address)
    const role = `gate_${schema}`
    await runOn(address, `CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`)
    await runOn(address, `GRANT CREATE ON DATABASE postgres TO ${role}`)
    const ca = join(temporaryFolder(), 'ca.pem')
    writeFileSync(ca, CERTIFICATE.cert)
    const to = (more: string, password = PASSWORD, host = '127.0.0.1') =>
      `postgres://${role}:${password}@${host}:${server.port()}/postgres?schema=${schema}_remote&${more}`
    return { ca, to, crypto }
  }

  it('is encrypted, verified, and signed in to by password', async () => {
    const { ca, to, crypto } = await remote()
    const address = to(`sslmode=verify-full&sslrootcert=${ca}`, PASSWORD, 'localhost')
    await migrateSchema(parseStoreAddress(address))
    const store = await openedAt(address, { crypto })
    expect(await store.commit({ entries: [entry()], durable: true })).toEqual({ kind: 'committed', size: 1 })
    const [row] = await runOn(
      server.freshAddress(),
      "SELECT bool_and(ssl) AS ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'countersign' AND client_addr IS NOT NULL",
    )
    expect(row?.['ssl']).toBe(true)
  })

  it.each([
    ['a certificate that nobody vouches for', 'sslmode=verify-full', PASSWORD, /add `sslrootcert=`/],
    ['a wrong password', 'sslmode=require', 'wrong', /the password is wrong/],
    ['a connection without TLS', 'sslmode=disable', PASSWORD, /pg_hba.*sslmode=require/],
  ])('refuses %s', async (_, more, password, why) => {
    const { to } = await remote()
    // Other tests of this process may have added the test's certificate to those that are trusted.
    const trusted = getCACertificates('default')
    setDefaultCACertificates(getCACertificates('bundled'))
    onTestFinished(() => setDefaultCACertificates(trusted))
    const migrating = migrateSchema(parseStoreAddress(to(more, password)))
    await expect(migrating).rejects.toMatchObject({ code: 'CS_STORE_OPEN', message: expect.stringMatching(why) })
    await expect(migrating).rejects.not.toMatchObject({ message: expect.stringContaining(PASSWORD) })
  })

  it('asks for a password in the address, and takes none from the environment', async () => {
    const { to } = await remote()
    process.env['PGPASSWORD'] = PASSWORD
    onTestFinished(() => {
      delete process.env['PGPASSWORD']
    })
    const without = to('sslmode=require').replace(`:${PASSWORD}@`, '@')
    await expect(migrateSchema(parseStoreAddress(without))).rejects.toThrow('add it to the address')
  })
})
