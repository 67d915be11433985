import { over, timesAsLong } from '@countersign/testing/time-ratio'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanText } from './scan-text.ts'

/** Made-up secrets, split so that scanners do not report this file as a leak. */
const GITHUB = `gh${'p_'}q7Rk2LmX9vTd4WzY8bNc3HsJ6fGp5KaE1uVo`
const AWS = `AK${'IA'}Q3EGRX7WJ2MNB5TZ`
const RANDOM = `x9Kd7${'fQw2LmZ8'}vRt4YbN6cHs`

const found = (text: string) => scanText(text).map(({ kind, start, end }) => [kind, text.slice(start, end)])

describe('scanning a text', () => {
  it.each([
    [`"${GITHUB}"`, 'github-token', GITHUB],
    [`{"log":"one\\n${GITHUB}"}`, 'github-token', GITHUB],
    [`?q=%20${AWS}`, 'aws-key', AWS],
    [`apiKey: string = "${RANDOM}"`, 'api-key', RANDOM],
    [`var token string = "${RANDOM}"`, 'token', RANDOM],
    [`TOKEN=\${TOKEN:-${RANDOM}}`, 'token', RANDOM],
    [`const it = process.env.API_KEY || '${RANDOM}'`, 'api-key', RANDOM],
    [`- name: API_TOKEN\n  value: ${RANDOM}`, 'token', RANDOM],
    [`<password>${'kV8!'}mTz2q</password>`, 'password', `${'kV8!'}mTz2q`],
    [`postgres://app:${'kV8!'}mTz2q@db.acme.io/x`, 'url-password', `${'kV8!'}mTz2q`],
    [`mysql -u root -p${'kV8!'}mTz2q shop`, 'password', `${'kV8!'}mTz2q`],
    [`Authorization: Bearer ${RANDOM}`, 'bearer', RANDOM],
  ])('finds the secret in `%s`', (text, kind, secret) => {
    expect(found(text)).toEqual([[kind, secret]])
  })

  it.each([
    'password: string',
    'token = getToken()',
    'password: ${DB_PASSWORD}',
    'API_KEY=<your-api-key>',
    'password: "Enter your password"',
    `commit ${'0a1b2c3d4e'.repeat(4)}`,
    `idempotency_key: 3f2b8c1d-9e4a-4b7c-8d6f-1a2b3c4d5e6f`,
    'postgres://postgres:postgres@localhost/test',
    `${GITHUB.slice(0, 4)}${'X'.repeat(36)}`,
    '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
    'ana.smith@acme.io',
  ])('finds no secret in `%s`', (text) => {
    expect(found(text)).toEqual([])
  })

  it('returns positions in UTF-16 units', () => {
    expect(scanText(`🔑 ${GITHUB}`)).toEqual([{ kind: 'github-token', start: 3, end: 43 }])
  })

  it('never throws, and returns ordered, separate positions inside the text', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom(
        GITHUB,
        AWS,
        RANDOM,
        'password',
        '=',
        ':',
        '"',
        "'",
        '\\',
        ' ',
        '\n',
        '://',
        '@',
        'Bearer ',
        '-p',
        'mysql',
        '<',
        '>',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = pieces.join('')
        let before = 0
        for (const { start, end } of scanText(text)) {
          expect(start).toBeGreaterThanOrEqual(before)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(text.length)
          before = end
        }
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    'eyJ-',
    'eyJaaaaaaaa.',
    'sk-',
    'SG.aaaaaaaaaaaaaaaa-',
    '://a:b@',
    'password=',
    'password="',
    '-----BEGIN PRIVATE KEY-----',
  ])('takes linear time: `%s` repeated', async (piece) => {
    const scanning = (length: number) => {
      const text = piece.repeat(length / piece.length)
      return () => scanText(text)
    }
    // One text of ten times the length: a quadratic search would take ten times as long as ten short ones.
    expect(await timesAsLong(scanning(100_000), over(10, scanning(10_000)), 5)).toBeLessThan(5)
  })
})
