import type { Codes } from './character-codes.ts'
import type { SecretSpan } from './span.ts'
import { isLoginPassword } from './value-classifier.ts'

/** Programs and the flag their password follows. The last group is the password, the one before it the user if it is told. */
const AFTER: readonly (readonly [programs: string, pattern: RegExp])[] = [
  ['mysql mysqldump mysqladmin mysqlimport mariadb mysqlsh', / -p=?["']?()([^\s"';|&-][^\s"';|&]*)/],
  ['sshpass', / -p ?["']?()([^\s"']+)/],
  ['docker podman helm buildah skopeo crane nerdctl az oc', / login\b[^\n|;&]{0,200}? -p[ =]?["']?()([^\s"']+)/],
  ['twine', / -p[ =]?["']?()([^\s"']+)/],
  ['cli', /^ [^\n|;]{0,80}?-a ["']?()([^\s"']+)/],
  ['mongo mongosh mongodump mongorestore mongoexport mongoimport cqlsh', / -p[ =]?["']?()([^\s"'-][^\s"']*)/],
  ['ldapsearch ldapmodify ldapadd ldapdelete ldappasswd ldapwhoami', / -w ?["']?()([^\s"']+)/],
  ['sqlcmd bcp isql osql', / -P ?["']?()([^\s"']+)/],
  ['zip unzip', / -P ?["']?()([^\s"']+)/],
  ['7z 7za 7zr', / -p["']?()([^\s"'-][^\s"']*)/],
  [
    'curl wget http https xh httpie ab',
    / (?:-u|--user|-a|--auth|-U|--proxy-user|-A)[ =]?["']?([^\s:"'@]{1,64}):([^\s"']+)/,
  ],
  ['smbclient rpcclient smbmap', / -U ["']?([^\s%"']{1,64})%([^\s"']+)/],
  ['openssl gpg', / (?:-pass|-passin|-passout) ["']?()pass:([^\s"']+)/],
  ['gh glab', / secret set [^\n]{0,80}?(?:-b|--body)[ =]?["']?()([^\s"']+)/],
  ['IDENTIFIED identified', /^ (?:with [\w-]{1,40} )?by (?:password )?["']()([^"'\s]+)/i],
  ['htpasswd', / -[A-Za-z]{0,4}b[A-Za-z]{0,4} (?:[^\s-]\S{0,80} )?()(?:\S{1,64}) ["']?([^\s"']+)/],
]

/** Programs that read a password from the command before them in the pipe. */
const BEFORE: readonly (readonly [programs: string, rest: RegExp, pattern: RegExp])[] = [
  [
    'chpasswd',
    /^/,
    /echo\s{1,4}(?:-\w{1,4}\s{1,4})?["']?([\w.-]{1,64}):([^\s"'|]{1,128})["']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4})?$/,
  ],
  [
    'sudo passwd',
    /^ (?:-\w{1,4} )?(?:-S|--stdin)\b/,
    /(?:echo|printf)\s{1,4}(?:-\w{1,4}\s{1,4})?["']?()([^\s"'|]{1,128})["']?\s{0,4}\|\s{0,4}$/,
  ],
]

interface Reading {
  readonly after?: RegExp
  readonly before?: { readonly rest: RegExp; readonly pattern: RegExp }
}

const PROGRAMS = new Map<string, Reading>()
for (const [programs, pattern] of AFTER) for (const name of programs.split(' ')) PROGRAMS.set(name, { after: pattern })
for (const [programs, rest, pattern] of BEFORE)
  for (const name of programs.split(' ')) PROGRAMS.set(name, { before: { rest, pattern } })

/** By the first two letters: which lengths a program has, one bit each. */
const LENGTHS = new Uint32Array(32 * 32)
for (const name of PROGRAMS.keys()) {
  const key = startKey(name.charCodeAt(0), name.charCodeAt(1))
  LENGTHS[key] = (LENGTHS[key] ?? 0) | (1 << name.length)
}

function startKey(first: number, second: number): number {
  return ((first & 31) << 5) | (second & 31)
}

/** INVARIANT: L10, so much of the line is read on each side of a program. */
const MAX_LINE = 400

/** Whether a word may be a program of the table; a blank or the end follows it. */
export function mayBeProgram(codes: Codes, start: number, end: number): boolean {
  const lengths = LENGTHS[startKey(codes[start] ?? 0, codes[start + 1] ?? 0)] ?? 0
  return end - start > 1 && end - start < 16 && (lengths & (1 << (end - start))) !== 0
}

/** The password on the command line of a program, where its flag says nothing (`-p`, `-u`). */
export function commandPassword(text: string, start: number, end: number): SecretSpan | undefined {
  const reading = PROGRAMS.get(text.slice(start, end))
  if (reading === undefined) return undefined
  const rest = lineAfter(text, end)
  if (reading.after !== undefined) return passwordIn(reading.after.exec(rest), end)
  const { before } = reading
  if (before === undefined || !before.rest.test(rest)) return undefined
  const from = Math.max(0, start - MAX_LINE)
  return passwordIn(before.pattern.exec(text.slice(from, start)), from)
}

function lineAfter(text: string, end: number): string {
  const rest = text.slice(end, end + MAX_LINE)
  const stop = rest.search(/(?<!\\)\n/)
  return stop < 0 ? rest : rest.slice(0, stop)
}

function passwordIn(match: RegExpExecArray | null, base: number): SecretSpan | undefined {
  const [whole = '', user = '', password = ''] = match ?? []
  if (match === null || !isLoginPassword(user, password, false) || /^[./~]|^\d{1,5}(?::\d{1,5})?$/.test(password))
    return undefined
  const start = base + match.index + whole.lastIndexOf(password)
  return { start, end: start + password.length, kind: 'password' }
}
