import { describe, expect, it } from 'vitest'
import { circumstancesAt, someCall, someRated, someRisk } from '../../../../../test/model/case.ts'
import { type CheckSettings, settingsOf } from '../../policy/model/builtin-checks.ts'
import type { CheckAnswer } from '../checker.ts'
import { decodeLabel } from './lookalike-host.ts'
import { urlChecker } from './url.ts'

const { places } = circumstancesAt()

async function check(urls: readonly string[], settings: CheckSettings = {}): Promise<CheckAnswer> {
  const call = someCall({ descriptor: { kind: 'fetch', source: 'known', url: urls[0], urls } })
  return urlChecker.check({ call, risk: someRisk(), places, settings }, new AbortController().signal)
}

const STATUS: Readonly<Record<string, readonly string[]>> = {
  pass: [
    'https://example.com/a?b=c',
    'http://github.com/a/b',
    'https://api.github.com',
    'https://raw.githubusercontent.com/x',
    'https://sub.domain.co.uk:8443/',
    'https://clickhouse.com',
    'https://modern.dev',
    'https://pypi.org/simple/',
  ],
  warn: [
    'http://localhost:3000',
    'http://127.0.0.1:8080/x',
    'http://[::1]:3000/',
    'http://0.0.0.0',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::ffff:127.0.0.1]/',
    'http://app.localhost',
    'http://127.0.0.1.nip.io/',
    'http://7f000001.nip.io/',
    'http://lvh.me:3000/',
    'http://[2002:7f00:1::]/',
    'http://localhost./',
    'https://93.184.216.34/',
    'https://münchen.de/',
    'https://例え.jp/',
  ],
  fail: [
    'file:///etc/passwd',
    'gopher://example.com/',
    'javascript:alert(1)',
    'https://user:pw@example.com/',
    'https://github.com@evil.example/',
    'http://10.0.0.8/',
    'http://192.168.1.1/admin',
    'http://172.16.0.1',
    'http://100.64.0.1',
    'http://[fd12:3456::1]/',
    'http://[fe80::1]/',
    'http://intranet/',
    'http://db.internal/',
    'http://printer.local/',
    'http://kubernetes.default.svc/',
    'http://[2002:a00:1::1]/',
    'https://gіthub.com/',
    'https://xn--gthub-n4a.com/',
    'https://github.com.evil.example/login',
    'https://github-com.evil.example/login',
    'https://paypa1.com/',
    'https://rnicrosoft.com/',
    'https://g00gle.com/',
    'not a url',
    'http://',
  ],
}

describe('the check `url`', () => {
  for (const [status, urls] of Object.entries(STATUS))
    it.each(urls)(`returns ${status} for %s`, async (url) => {
      expect(await check([url])).toMatchObject({ status })
    })

  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://[::ffff:169.254.169.254]/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'http://[fd00:ec2::254]/',
    'http://169.254.169.254.nip.io/',
    'http://a9fea9fe.nip.io/',
    'http://[2002:a9fe:a9fe::1]/',
    'http://metadata.google.internal./',
  ])('blocks %s without an override', async (url) => {
    expect(await check(['http://localhost', url, 'http://10.0.0.1'])).toMatchObject({
      status: 'fail',
      overridable: false,
    })
  })

  it('follows the rules’ allow list', async () => {
    const allow = settingsOf([
      { name: 'url', options: { allow: ['*.internal', '169.254.169.254'], schemes: ['http'] } },
    ])
    expect(await check(['http://db.internal'], allow)).toMatchObject({ status: 'pass' })
    expect(await check(['http://169.254.169.254/'], allow)).toMatchObject({ status: 'pass' })
    expect(await check(['http://10.0.0.1'], allow)).toMatchObject({ status: 'fail' })
    expect(await check(['https://example.com'], allow)).toMatchObject({ status: 'fail' })
  })

  it('checks the words of a command, and never prints a password', async () => {
    const call = someCall({ descriptor: { kind: 'execute', source: 'known', command: 'x' } })
    const password = ['hunter', '2hunter'].join('')
    const risk = someRisk({ parts: [someRated(['curl', `-u=https://ana:${password}@example.com/x`])] })
    const found = await urlChecker.check({ call, risk, places, settings: {} }, new AbortController().signal)
    expect(found).toMatchObject({ status: 'fail' })
    expect(JSON.stringify(found)).not.toContain(password)
  })

  it('reports that a public name was not resolved', async () => {
    expect((await check(['https://example.com'])).message).toContain('not resolved')
  })

  it.each(['postgres://0x7f.0.0.1/x', 'postgres://LOCALHOST/', 'postgres://0177.1'])(
    'reads the host of %s like the program that connects',
    async (url) => {
      const schemes = settingsOf([{ name: 'url', options: { schemes: ['postgres'] } }])
      expect(await check([url], schemes)).toMatchObject({ status: 'warn', message: expect.stringContaining('itself') })
    },
  )

  it.each([
    [['curl', '169.254.169.254/latest/meta-data/'], 'fail'],
    [['wget', '-qO-', '2852039166/latest'], 'fail'],
    [['curl', '-m', '2.5', '--retry', '3', '-o', 'out.json', '-X', 'POST', 'example.com/a'], 'skip'],
    [['curl', 'localhost:3000'], 'warn'],
    [['curl', '10.0.0.8'], 'fail'],
    [['ls', '10.0.0.8'], 'skip'],
  ] as const)('for the words %j returns %s', async (words, status) => {
    const call = someCall({ descriptor: { kind: 'execute', source: 'known', command: 'x' } })
    const input = { call, risk: someRisk({ parts: [someRated([...words])] }), places, settings: {} }
    expect(await urlChecker.check(input, new AbortController().signal)).toMatchObject({ status })
  })

  it('skips a call without a URL', async () => {
    expect(await check([])).toMatchObject({ status: 'skip' })
  })
})

it.each([
  ['xn--mnchen-3ya', 'münchen'],
  ['xn--r8jz45g', '例え'],
  ['xn--80ak6aa92e', 'аррӏе'],
  ['example', undefined],
  ['xn--\u0000', undefined],
  [`xn--${'9'.repeat(40)}`, undefined],
])('reads %s as %s', (label, text) => {
  expect(decodeLabel(label)).toBe(text)
})
