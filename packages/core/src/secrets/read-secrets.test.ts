import { describe, expect, it } from 'vitest'
import { createReadSecrets } from './read-secrets.ts'

const SECRET = ['Tr0ub4', 'dor-3x-Quay'].join('')
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const hex = (text: string): string => Buffer.from(text).toString('hex')
const reversed = (text: string): string => [...text].reverse().join('')

/** Whether the secret is recognised in an argument after this text was read from this place. */
function isKnown(text: string, place: string, leaving = SECRET): boolean {
  const secrets = createReadSecrets(() => '0123456789abcdef')
  secrets.learn({ text }, place)
  return secrets.leaving({ body: `see ${leaving} for more` }) !== undefined
}

describe('a credential that was read', () => {
  it.each([
    ['a password file', `db.example:5432:shop:app:${SECRET}\n`, '.pgpass'],
    ['a password file with any port', `# mine\n*:*:*:app:${SECRET}\n`, 'x'],
    ['a file with one secret', `${SECRET}\n`, 'secrets/db_password.txt'],
    ['a secret of Kubernetes', `kind: Secret\ndata:\n  dsn: ${base64(SECRET)}\n`, 'k8s.yaml'],
    ['a secret of Kubernetes in JSON', `{"kind": "Secret",\n "data": {\n  "dsn": "${base64(SECRET)}"\n}}`, 'k8s.json'],
    ['an encoded password', `data:\n  password: ${base64(SECRET)}\n`, 'k8s.yaml'],
  ])('is remembered from %s', (_, text, place) => expect(isKnown(text, place)).toBe(true))

  it.each([
    ['one word of another file', `${SECRET}\n`, 'src/version.txt'],
    ['a message of a compiler', `src/a.ts:12:5:error:${SECRET}\n`, 'make'],
    ['a list of names', `data:\n  title: ${base64(SECRET)}\n`, 'k8s.yaml'],
    ['a plain word', 'passwords\n', 'secrets.txt'],
  ])('is none in %s', (_, text, place) => expect(isKnown(text, place)).toBe(false))

  it.each([
    ['base64 of base64', base64(base64(SECRET))],
    ['base64 of hex', base64(hex(SECRET))],
    ['hex of base64', hex(base64(SECRET))],
    ['base64 of it reversed', base64(reversed(SECRET))],
    ['its base64 reversed', reversed(base64(SECRET))],
    ['its hex reversed', reversed(hex(SECRET))],
    ['base64 behind other letters', `path/to/x${base64(base64(SECRET))}`],
    ['base64 of UTF-16', Buffer.from(SECRET, 'utf16le').toString('base64')],
  ])('is recognised as %s', (_, leaving) => {
    expect(isKnown(`password=${SECRET}`, 'a.conf', leaving)).toBe(true)
  })

  it('is not seen in other encoded text', () => {
    expect(isKnown(`password=${SECRET}`, 'a.conf', base64(base64('a text about something else')))).toBe(false)
    expect(isKnown(`password=${SECRET}`, 'a.conf', reversed('a text about something else'))).toBe(false)
  })
})
