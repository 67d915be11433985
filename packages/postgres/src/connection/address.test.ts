import { describe, expect, it } from 'vitest'
import { parseStoreAddress } from './address.ts'

const parsed = (text: string) => parseStoreAddress(text)

describe('the address of a store', () => {
  it('names host, port, user, database and schema', () => {
    expect(parsed('postgres://gate:p%40ss@db.example:6432/team?schema=blue')).toMatchObject({
      servers: [{ host: 'db.example', port: 6432 }],
      user: 'gate',
      password: 'p@ss',
      database: 'team',
      schema: 'blue',
      shown: 'postgres://gate@db.example:6432/team?schema=blue',
    })
    expect(parsed('postgresql://gate@[::1]/team')).toMatchObject({
      servers: [{ host: '::1', port: 5432 }],
      schema: 'countersign',
    })
  })

  it('names a socket by its folder', () => {
    const { servers, tls } = parsed('postgres://gate@/team?host=/run/postgresql')
    expect([servers, tls]).toEqual([[{ host: '/run/postgresql', port: 5432 }], false])
  })

  it('names several servers, of which the primary is used', () => {
    const { servers, tls, shown } = parsed('postgres://gate@db1:6432,[::1],db2/team?target_session_attrs=read-write')
    expect(servers).toEqual([
      { host: 'db1', port: 6432 },
      { host: '::1', port: 5432 },
      { host: 'db2', port: 5432 },
    ])
    expect(shown).toBe('postgres://gate@db1:6432,[::1]:5432,db2:5432/team?schema=countersign')
    expect(tls).toMatchObject({ rejectUnauthorized: true })
    expect(parsed('postgres://gate@localhost,127.0.0.1/team').tls).toBe(false)
    expect(parsed('postgres://gate@/team?host=/run/a,/run/b').servers.map(({ host }) => host)).toEqual([
      '/run/a',
      '/run/b',
    ])
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
    ['postgres://gate@a,b,c,d,e,f/team', 'name up to five'],
    ['postgres://gate@db1,,db2/team', 'is not a host'],
    ['postgres://gate@db:99999/team', 'is not a host'],
    ['postgres://gate@/team?host=/a,', 'separated by commas'],
    ['postgres://gate@db/team?target_session_attrs=any', '`target_session_attrs` must be read-write'],
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
