import { secretKnowledge } from '../knowledge/secrets.ts'
import type { Codes } from './character-codes.ts'
import type { SecretSpan } from './span.ts'
import { isLoginPassword } from './value-classifier.ts'

/** Where a program's password is: after it, or before it in the pipeline. */
interface PasswordPosition {
  readonly after?: RegExp
  readonly before?: { readonly rest: RegExp; readonly pattern: RegExp }
}

interface ProgramTable {
  readonly byName: ReadonlyMap<string, PasswordPosition>
  /** By the first two letters: the lengths of the names, one bit each. */
  readonly lengths: Uint32Array
}

let table: ProgramTable | undefined

function programTable(): ProgramTable {
  table ??= buildTable()
  return table
}

function buildTable(): ProgramTable {
  const { after_program, before_program } = secretKnowledge()
  const byName = new Map<string, PasswordPosition>()
  for (const { programs, pattern, ignore_case } of after_program) {
    const position = { after: new RegExp(pattern, ignore_case === true ? 'i' : '') }
    for (const name of programs) byName.set(name, position)
  }
  for (const { programs, rest, pattern } of before_program) {
    const position = { before: { rest: new RegExp(rest), pattern: new RegExp(pattern) } }
    for (const name of programs) byName.set(name, position)
  }
  const lengths = new Uint32Array(32 * 32)
  for (const name of byName.keys()) {
    const key = startKey(name.charCodeAt(0), name.charCodeAt(1))
    lengths[key] = (lengths[key] ?? 0) | (1 << name.length)
  }
  return { byName, lengths }
}

function startKey(first: number, second: number): number {
  return ((first & 31) << 5) | (second & 31)
}

/** INVARIANT: L10, how much of the line is read on each side of a program. */
const MAX_LINE = 400

/** Whether a word before a blank may be a program of the table. */
export function mayBeProgram(codes: Codes, start: number, end: number): boolean {
  const lengths = programTable().lengths[startKey(codes[start] ?? 0, codes[start + 1] ?? 0)] ?? 0
  return end - start > 1 && end - start < 16 && (lengths & (1 << (end - start))) !== 0
}

/** The password on the command line of a program whose option does not name it (`-p`, `-u`). */
export function commandPassword(text: string, start: number, end: number): SecretSpan | undefined {
  const position = programTable().byName.get(text.slice(start, end))
  if (position === undefined) return undefined
  const rest = lineAfter(text, end)
  if (position.after !== undefined) return passwordIn(position.after.exec(rest), end)
  const { before } = position
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
