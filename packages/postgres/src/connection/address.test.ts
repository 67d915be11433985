import { describe, expect, it } from 'vitest'
import { parseStoreAddress } from './address.ts'

const parsed = (text: string) => parseStoreAddress(text)

describe('the address of a store', () => {
  it('names host, port, user, database and schema', () => {
    expect(parsed('postgres://gate:p%40ss@db.example:6432/team?schema=blue')).toMatchObject({
      host: 'db.example',
      port: 6432,
      user: 'gate',
      password: 'p@ss',
      database: 'team',
      schema: 'blue',
      shown: 'postgres://gate@db.example:6432/team?schema=blue',
    })
    expect(parsed('postgresql://gate@[::1]/team')).toMatchObject({ host: '::1', port: 5432, schema: 'countersign' })
  })

  it('names a socket by its folder', () => {
    const { host, tls } = parsed('postgres://gate@/team?host=/run/postgresql')
    expect([host, tls]).toEqual(['/run/postgresql', false])
  })

  it('verifies the certificate of another machine unless told otherwise', () => {
    expect(parsed('postgres://gate@db/team').tls).toMatchObject({ rejectUnauthorized: true })
    expect(parsed('postgres://gate@db/team?sslmode=verify-ca').tls).toMatchObject({ rejectUnauthorized: true })
    expect(parsed('postgres://gate@db/team?sslmode=require').tls).toMatchObject({ rejectUnauthorized: false })
    expect(parsed('postgres://gate@db/team?sslmode=disable').tls).toBe(false)
    expect(parsed('postgres://gate@127.0.0.1/team').tls).toBe(false)
  })

  it.each([
    ['http://gate@db/team', 'it must look like'],
    ['postgres://db/team', 'it needs a user and a database'],
    ['postgres://gate@db', 'it needs a user and a database'],
    ['postgres://gate@/team', 'it needs a host'],
    ['postgres://gate@db/team?sslmod=require', 'unknown parameter `sslmod`'],
    ['postgres://gate@db/team?sslmode=prefer', '`sslmode` must be'],
    ['postgres://gate@db/team?sslmode=disable&sslrootcert=/ca.pem', '`sslrootcert` needs'],
    ['postgres://gate@db/team?sslrootcert=/does/not/exist.pem', 'can’t be read'],
    ['postgres://gate@/team?host=/run/postgresql&sslmode=require', 'a Unix socket has no TLS'],
    ['postgres://gate@db/team?schema=a"b', '`schema` must be'],
    ['postgres://gate@db/team?prepare=maybe', '`prepare` must be'],
    ['postgres://gate:50%@db/team', 'invalid `%` sequence'],
  ])('refuses %s', (text, why) => {
    expect(() => parsed(text)).toThrow(why)
  })

  it('never shows the password', () => {
    expect(JSON.stringify(parsed('postgres://gate:hidden-one@db/team').shown)).not.toContain('hidden')
  })
})
