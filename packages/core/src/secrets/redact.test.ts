import { over, timesAsLong } from '@countersign/testing/time-ratio'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../call/json/canonical.ts'
import type { Json } from '../call/json/json.ts'
import { crypto } from '../journal/fixture.mts'
import { redactJson, redactText } from './redact.ts'
import { findSecrets, mayHoldSecret } from './redaction-patterns.ts'

const mark = (kind: string, secret: string) => `[redacted:${kind}:${crypto.keyedHash(secret).slice(0, 16)}]`

/** Made-up secrets, split so that scanners do not report this file as a leak. */
const TOKENS: readonly (readonly [kind: string, secret: string])[] = [
  ['aws-key', `AK${'IA'}IOSFODNN7EXAMPLE`],
  ['aws-key', `AS${'IA'}IOSFODNN7EXAMPLE`],
  ['github-token', `gh${'p_'}${'aB3'.repeat(12)}`],
  ['github-token', `gh${'o_'}${'aB3'.repeat(12)}`],
  ['github-token', `github_${'pat_'}11ABC_${'x9'.repeat(20)}`],
  ['slack-token', `xo${'xb-'}123456789012-abcdefGHIJ`],
  ['api-key', `sk${'-'}ant-api03-${'aB3'.repeat(12)}`],
  ['stripe-key', `sk_${'live_'}${'a1'.repeat(12)}`],
  ['stripe-key', `rk_${'live_'}${'a1'.repeat(12)}`],
  ['google-key', `AI${'za'}SyA-${'x1'.repeat(16)}`],
  ['jwt', `ey${'J'}hbGciOiJIUzI1NiJ9.ey${'J'}zdWIiOiIxIn0.c2lnbmF0dXJl`],
  ['npm-token', `np${'m_'}${'aB3'.repeat(12)}`],
  ['pypi-token', `py${'pi-'}AgEIcHlwaS5vcmc${'x1'.repeat(16)}`],
  ['gitlab-token', `gl${'pat-'}${'x1'.repeat(10)}`],
  ['digitalocean-token', `do${'p_v1_'}${'a1'.repeat(32)}`],
  ['private-key', `-----BEGIN ${'OPENSSH'} PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END ${'OPENSSH'} PRIVATE KEY-----`],
]

const IN_TEXT: readonly (readonly [text: string, kind: string, secret: string])[] = [
  ['curl https://ana:s3cr3t@host/x', 'password', 's3cr3t'],
  ['psql postgres://ana:p@ss@host/db', 'password', 'p@ss'],
  ['PASSWORD=hunter2 make', 'password', 'hunter2'],
  ['export DB_PASSWORD="two words" && run', 'password', 'two words'],
  ["export API_KEY='abc def'", 'token', 'abc def'],
  ['mysql --password hunter2 -e x', 'password', 'hunter2'],
  ['gh auth login --with-token abcdef', 'token', 'abcdef'],
  ['AccountName=x;AccountKey=abc+/==;y', 'secret', 'abc+/=='],
  ['aws_secret_access_key = wJalrXUtn', 'secret', 'wJalrXUtn'],
  ['{"password":"a\\"b"}', 'password', 'a\\"b'],
  ['{\\"api_key\\":\\"zzz\\"}', 'token', 'zzz'],
  ['client_secret: abc123', 'secret', 'abc123'],
  ['-H "Authorization: Bearer abc.def"', 'header', 'Bearer abc.def'],
  ['got Bearer abcd1234 back', 'credentials', 'abcd1234'],
  ['Basic dXNlcjpwYXNz', 'credentials', 'dXNlcjpwYXNz'],
  ['curl -u ana:hunter2 host', 'password', 'hunter2'],
]

const PLAIN = [
  'git status',
  'the tests pass and the password policy is fine',
  'max_tokens=4096',
  'docker run -u 1000:1000 image',
  'basic understanding of the bearer concept',
  'task-list-of-many-things-to-do-today',
  'https://example.com/a@b?c=d',
  'const tokenizer: Tokenizer = makeTokenizer()',
  'bypass=yes compass: north',
  'see http://localhost:8080/x and mail@example.com',
]

describe('a text full of secrets', () => {
  it('is redacted one by one up to a limit, and as a whole beyond it (L10)', () => {
    const text = Array.from({ length: 1500 }, (_, n) => `PASSWORD=hunter${n} x`).join('\n')
    const clean = redactText(text, crypto)
    expect(clean).not.toContain('hunter')
    expect(clean.startsWith(`PASSWORD=${mark('password', 'hunter0')} x\nPASSWORD=`)).toBe(true)
    expect(clean.match(/\[redacted:/g)).toHaveLength(1001)
    expect(clean).toMatch(/PASSWORD=\[redacted:secrets:[0-9a-f]{16}\]$/)
  })
})

describe('redaction', () => {
  it.each(TOKENS)('hides %s anywhere in a text', (kind, secret) => {
    for (const [before, after] of [
      ['', ''],
      ['x = "', '" // y'],
      ['a\n', '\nb'],
      ['(', ')'],
    ]) {
      expect(redactText(`${before}${secret}${after}`, crypto)).toBe(`${before}${mark(kind, secret)}${after}`)
    }
    expect(JSON.stringify(redactJson({ a: [{ b: secret }], [secret]: 1 }, crypto))).not.toContain(secret)
  })

  it.each(IN_TEXT)('hides the value in `%s`', (text, kind, secret) => {
    expect(redactText(text, crypto)).toBe(text.replace(secret, () => mark(kind, secret)))
  })

  it.each(PLAIN)('leaves `%s` unchanged', (text) => {
    expect(redactText(text, crypto)).toBe(text)
  })

  it('hides values under a secret name at any depth, except numbers and booleans', () => {
    const value = {
      password: 'a',
      env: { MY_SECRET: 'b', PATH: '/bin' },
      tokens: ['c', { d: 'e' }],
      pin: 1,
      passcode: 1234,
      max_tokens: 512,
      bypass: true,
      apiKey: null,
      argv: ['mysql', '--password', 'f', 'g'],
    }
    expect(redactJson(value, crypto)).toEqual({
      ...value,
      password: mark('password', 'a'),
      env: { MY_SECRET: mark('secret', 'b'), PATH: '/bin' },
      tokens: [mark('token', 'c'), { d: mark('token', 'e') }],
      passcode: mark('password', '1234'),
      argv: ['mysql', '--password', mark('secret', 'f'), 'g'],
    })
  })

  it('uses the same mark for the same secret, and another for another', () => {
    expect(redactText('token=abc', crypto)).toBe(redactText('token=abc', crypto))
    expect(redactText('token=abc', crypto)).not.toBe(redactText('token=abd', crypto))
  })

  it('returns unchanged parts by reference', () => {
    const value = { a: ['b', { c: 1 }], d: 'e' }
    expect(redactJson(value, crypto)).toBe(value)
  })

  it('does not redact twice, and is not fooled by an incomplete mark', () => {
    const once = redactText('password=hunter2 token: abc', crypto)
    expect(redactText(once, crypto)).toBe(once)
    expect(redactText(`password=${mark('password', 'x')}hunter2`, crypto)).not.toContain('hunter2')
    expect(redactJson({ password: '[redacted:hunter2' }, crypto)).toEqual({
      password: mark('password', '[redacted:hunter2'),
    })
  })

  it('handles data deeper than any call', () => {
    let deep: Json = 'x'
    for (let i = 0; i < 20_000; i++) deep = [deep]
    expect(JSON.stringify(redactJson(deep, crypto))).toContain('[redacted:too-deep]')
  })

  it('has a filter that never skips a text in which the search finds a secret, raw or as canonical JSON', () => {
    const piece = fc.constantFrom(
      'password',
      'Pass',
      'api-key',
      'token',
      '=',
      ':',
      ' ',
      '"',
      "'",
      '\\',
      '\n',
      '--',
      '-u ',
      'a:b',
      '://',
      '@',
      'Bearer ',
      'x1y2z3w4v5',
      'cookie',
      ',',
      ...TOKENS.map(([, secret]) => secret),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        if (findSecrets(text).length === 0) return
        expect(mayHoldSecret(text)).toBe(true)
        expect(mayHoldSecret(canonicalJson({ a: text }))).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    'eyJ',
    '://a:',
    'sk-',
    'password="',
    'password=\\"',
    '-',
    '-----BEGIN PRIVATE KEY',
    'secret',
    ' -u a',
    'eyJaaaaa.',
    'ghp_',
    '--token ',
    '://a:b@',
  ])('takes linear time: `%s` repeated', async (piece) => {
    const redacting = (length: number) => {
      const text = piece.repeat(length / piece.length)
      return () => redactText(text, { keyedHash: () => '0'.repeat(64) })
    }
    // One text of ten times the length: a quadratic pattern would take ten times as long as ten short ones.
    expect(await timesAsLong(redacting(300_000), over(10, redacting(30_000)), 5)).toBeLessThan(5)
  })
})
