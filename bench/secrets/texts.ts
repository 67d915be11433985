import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** The texts of the development corpus. */
export function corpusTexts(): readonly string[] {
  return readFileSync(join(ROOT, 'test/corpus/secrets.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly parts: readonly string[] }).parts.join(''))
}

/** Concatenated third-party sources: ours mention secrets more often than typical code. */
export function codeText(length: number): string {
  let text = ''
  const sources = join(ROOT, 'node_modules/zod/src')
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .sort()
  while (text.length < length) for (const path of files) text += readFileSync(join(sources, path), 'utf8')
  return flat(text.slice(0, length))
}

/** Seeded random letters and digits without line ends. */
export function randomLine(length: number): string {
  let text = ''
  for (let state = 7; text.length < length; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    text += state.toString(36)
  }
  return flat(text.slice(0, length))
}

/** One flat string, like texts from files and JSON: a slice of a string has an extra indirection. */
function flat(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string
}

/** Worst cases for patterns that read characters repeatedly. */
export const ADVERSARIAL: readonly string[] = [
  'eyJ-',
  'eyJaaaaaaaa.',
  'eyJaaaaaaaa.eyJaaaaaaaa.',
  'SG.aaaaaaaaaaaaaaaa-',
  '://a:',
  '://a:b@',
  'password=',
  'password="',
  'password=\\"',
  "password='a",
  'secret ',
  'token: ',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----\n',
  'sk-',
  'ghp_',
  'AKIA',
  'A',
  'curl -u a:',
  'mysql -p',
  'echo a | sudo -S ',
  'name: x value: ',
  'Authorization: ',
  'Bearer ',
  'jdbc:oracle:',
  'https://hooks.slack.com/services/T1/B1/',
  '\\n',
  '%20',
  'a.b-c_',
  'passwordpassword',
  'process.env.TOKEN || ',
]
