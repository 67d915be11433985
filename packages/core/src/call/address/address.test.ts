import { describe, expect, it } from 'vitest'
import { type HostKind, hostKind, isThisMachine, reachOf } from './classify.ts'
import { canonicalHost, urlTarget } from './host.ts'

const METADATA = [
  '169.254.169.254',
  '169.254.169.254.',
  '169.254.43518',
  '169.16689662',
  '2852039166',
  '0xa9fea9fe',
  '0xA9.0xFE.0xA9.0xFE',
  '0251.0376.0251.0376',
  '0251.254.0xa9.254',
  '025177524776',
  '169%2e254%2e169%2e254',
  '１６９.２５４.１６９.２５４',
  '169。254。169。254',
  '①⑥⑨.254.169.254',
  '[::ffff:169.254.169.254]',
  '::ffff:169.254.169.254',
  '[::FFFF:A9FE:A9FE]',
  '[0:0:0:0:0:ffff:a9fe:a9fe]',
  '[::169.254.169.254]',
  '[::ffff:0:169.254.169.254]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::a9fe:a9fe]',
  '[2002:a9fe:a9fe::]',
  '[2001:0:4136:e378:8000:63bf:5601:5601]',
  '[2001:db8::5efe:169.254.169.254]',
  '[::ffff:169.254.169.254%25eth0]',
  '169.254.169.254.nip.io',
  'a9fea9fe.sslip.io',
  'x.169-254-169-254.sslip.io',
  '[fd00:ec2::254]',
  '[FD00:0EC2:0::0254]',
  'METADATA.google.internal.',
  'metadata',
]

const KINDS: Readonly<Record<Exclude<HostKind, 'metadata'>, readonly string[]>> = {
  loopback: [
    'localhost',
    'LOCALHOST.',
    'app.localhost',
    '127.1',
    '0x7f.1',
    '2130706433',
    '[::1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    'lvh.me',
  ],
  unspecified: ['0', '0.0.0.0', '0x0', '[::]', '[::ffff:0:0]'],
  'link-local': ['169.254.1.1', '0xa9fe0101', '[fe80::1]', 'fe80::1%eth0', '[fe80::1%25en0]'],
  private: [
    '10.0.0.1',
    '012.1',
    '172.31.255.255',
    '192.168.0.1',
    '100.64.0.1',
    '[fd12::1]',
    '[fec0::1]',
    '[::ffff:10.0.0.1]',
    '255.255.255.255',
    'intranet',
    'db.internal',
    'a.local',
  ],
  multicast: ['224.0.0.1', '239.255.255.250', '[ff02::1]'],
  public: [
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '[2606:4700::1111]',
    '[::ffff:8.8.8.8]',
    '[2002:808:808::1]',
    '8.8.8.8.nip.io',
  ],
  name: [
    'example.com',
    'EXAMPLE.com.',
    'bücher.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'metadata.evil.example',
  ],
}

describe('a host', () => {
  it.each(METADATA)('%s is a metadata service', (host) => expect(hostKind(host)).toBe('metadata'))

  for (const [kind, hosts] of Object.entries(KINDS))
    it.each(hosts)(`%s is ${kind}`, (host) => expect(hostKind(host)).toBe(kind))

  it.each([
    '',
    ' ',
    'a b',
    'a\\b',
    'a/b',
    'a@b',
    'a\nb',
    'a\u0000.com',
    '1.2.3.4.5',
    '256.1.1.1',
    '[::1',
    ':::',
    '*.a',
    'x'.repeat(9000),
  ])('%j can’t be read, and leads nowhere public', (host) => {
    expect(canonicalHost(host)).toBeNull()
    expect(reachOf(host)).toBe('private')
    expect(isThisMachine(host)).toBe(false)
  })

  it('is this machine only by `localhost` or its own address', () => {
    expect(['localhost', 'a.localhost', '127.9.9.9', '0', '[::1]', '[::]', '0x7f.1'].every(isThisMachine)).toBe(true)
    expect(['lvh.me', '127.0.0.1.nip.io', 'localhost.evil.example', '10.0.0.1'].some(isThisMachine)).toBe(false)
  })

  it('has one spelling', () => {
    expect(['EXAMPLE.com.', 'ｅｘａｍｐｌｅ.com', 'example%2ecom', 'example。com'].map(canonicalHost)).toEqual(
      Array(4).fill('example.com'),
    )
    expect(canonicalHost('bücher.example')).toBe('xn--bcher-kva.example')
    expect(canonicalHost('[0:0::1%25lo]')).toBe('::1')
  })
})

describe('the target of a URL', () => {
  it.each([
    ['https://example.com/a', { host: 'example.com', port: 443 }],
    ['HTTP://EXAMPLE.com:80', { host: 'example.com', port: 80 }],
    ['http://example.com:/x', { host: 'example.com', port: 80 }],
    ['https://me:word@example.com:8443/', { host: 'example.com', port: 8443, hasCredentials: true }],
    ['https://github.com@evil.example/', { host: 'evil.example', hasCredentials: true }],
    ['ssh://git@[::1]:2222/x', { host: '::1', port: 2222 }],
    ['git+https://example.com/x.git', { host: 'example.com', port: 443 }],
    ['postgres://0x7f.1/db', { host: '127.0.0.1', port: null }],
    ['https://example.com?a@b', { host: 'example.com', hasCredentials: false }],
  ])('%s', (url, target) => expect(urlTarget(url)).toMatchObject({ kind: 'host', ...target }))

  it.each(['file:///etc/passwd', 'data:text/plain,x', 'mailto:a@b.example'])('%s has no host', (url) =>
    expect(urlTarget(url)).toEqual({ kind: 'nowhere' }),
  )

  // Which host is reached depends on the program.
  it.each([
    'http://127.0.0.1\\@evil.example/',
    'http://a@b@evil.example/',
    'http://exa\tmple.com/',
    'http://{a,b}.example/',
    'http://[1-9].example/',
    'http:example.com',
    'https:///example.com',
    'http://example.com:99999/',
    'http://a:80:90/',
    'not a url',
    '/path',
  ])('%s is unknown', (url) => expect(urlTarget(url)).toEqual({ kind: 'unknown' }))
})
