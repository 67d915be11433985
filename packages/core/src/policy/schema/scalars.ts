import * as z from 'zod'
import { readHostPattern } from '../../call/address/host-pattern.ts'
import { HOST_SET_NAMES } from '../../knowledge/network.ts'
import { LIMIT_PATTERN, parseLimit } from '../model/limits.ts'
import { quote } from '../model/policy-problem.ts'
import { DURATION_PATTERN, LONGEST_TIMEOUT_MS, parseDuration, SHORTEST_TIMEOUT_MS } from './duration.ts'
import { validateFolder, validateNameGlob, validatePathGlob } from './glob-syntax.ts'
import { DAYS, DAYS_PATTERN, HOURS_PATTERN, isZone, parseDays, parseHours } from './hours-range.ts'
import { readLike } from './like-command.ts'
import { compileExpression } from './regular-expression.ts'
import { suggest } from './spelling-suggestion.ts'

/** The scalar values of the policy language, validated and converted. */

/** Text validated by a function that returns the problem. */
function checked(what: string, problemOf: (text: string) => string | null) {
  return z.string({ error: mistyped(what) }).check((context) => {
    const message = problemOf(context.value)
    if (message !== null) context.issues.push({ code: 'custom', message, input: context.value })
  })
}

/** Text with a fixed pattern, which the JSON Schema includes. */
function formed(what: string, pattern: RegExp) {
  return z
    .string({ error: mistyped(what) })
    .regex(pattern, { error: (issue) => `${quote(String(issue.input))} is not ${what}` })
}

function mistyped(what: string) {
  return (issue: { readonly input?: unknown }) => (issue.input === undefined ? undefined : `expected ${what}`)
}

/** One value, or a non-empty list. */
export function oneOrMore<Item extends z.ZodType>(item: Item) {
  return z.union([item.transform((one) => [one]), z.array(item).min(1)])
}

export const nameGlob = checked('a name or a glob such as deploy*', validateNameGlob)
export const textGlob = checked('a glob such as prod-*', validateNameGlob)
export const pathGlob = checked('a path glob such as src/**', validatePathGlob)
export const folder = checked(`a folder such as \${workspace}`, validateFolder)

const LONGEST_REGEX = 1000

/** SECURITY: A25. Validated by the engine that will run it. */
export const regex = checked('a regular expression', (pattern) => {
  if (pattern === '' || pattern.length > LONGEST_REGEX)
    return `a regular expression has 1 to ${LONGEST_REGEX} characters`
  if (/\(\?(=|!|<=|<!)/.test(pattern))
    return 'look-ahead and look-behind are not supported: patterns run in linear time; write `not:` or `unless:`'
  if (/\\([1-9]|k<)/.test(pattern.replaceAll('\\\\', '')))
    return 'back-references are not supported: patterns run in linear time'
  try {
    compileExpression(pattern)
    return null
  } catch (error) {
    const detail = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'it does not compile'
    return `not a regular expression: ${detail.replaceAll('`', "'")}`
  }
})

export const ruleId = formed(
  'an id: letters, digits, `.`, `_` and `-`, at most 64',
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
)
export const checkerName = formed('the name of a checker', /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)

export const program = formed(
  'the bare name of a program such as git, without its folder',
  /^[^\s/\\?[\]{}$'"`;&|<>()]{1,128}$/,
)
const LONGEST_LIKE = 1000

/** A command whose shape others must have. */
export const likeCommand = checked('a command such as `git push origin`', (command) => {
  if (command.length > LONGEST_LIKE) return `a command in \`like\` has at most ${LONGEST_LIKE} characters`
  return readLike(command) === null
    ? `${quote(command)} is not one plain command with a known verb; write one such as git push origin`
    : null
})

export const credential = formed('the name of a credential such as git or npm', /^[a-z][a-z0-9-]{0,31}$/)
export const verb = formed(
  'a word such as status, or several such as `pr list`',
  /^(?=.{1,128}$)(?:[^\s\\?[\]{}$'"`;&|<>()-][^\s\\?[\]{}$'"`;&|<>()]*)(?: [^\s\\?[\]{}$'"`;&|<>()-][^\s\\?[\]{}$'"`;&|<>()]*){0,3}$/,
)
export const flag = formed('a flag such as -f or --force, without its value', /^--?[A-Za-z0-9?][A-Za-z0-9._-]{0,63}$/)

export const host = checked('a host such as api.example.com', (text) => {
  if (text.includes('://')) return `${quote(text)} is a full URL; write \`url: { scheme: …, host: … }\``
  if (text.includes('/')) return `a host has no path: ${quote(text)}`
  if (/:[0-9]+$/.test(text)) return `a host is named without its port: ${quote(text)}`
  return validateNameGlob(text)
})
function hostProblem(text: string): string | null {
  if (text.includes('://')) return `${quote(text)} is a full URL; write only its host`
  if (text.includes('/')) return `a host has no path: ${quote(text)}`
  if (readHostPattern(text) !== null) return null
  return `${quote(text)} is not a host; write one such as api.example.com, *.example.com or 10.0.0.1:8080`
}

/** A host of `network`, with a port for others than 80 and 443. */
export const networkHost = checked('a host such as api.example.com', hostProblem)

/** A host, or the name of a set of hosts. A name without a dot would be a misspelled set. */
export const networkEntry = checked(`a host, or a set: ${HOST_SET_NAMES.join(', ')}`, (text) => {
  if (HOST_SET_NAMES.includes(text)) return null
  if (text === '*' || text === 'localhost' || /[.:/]/.test(text)) return hostProblem(text)
  return `${quote(text)} is not a set of hosts; write ${HOST_SET_NAMES.join(', ')}, or a host such as api.example.com`
})

export const scheme = formed('a scheme such as https', /^[a-z][a-z0-9+.-]{0,31}$/)
export const method = z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export const hours = formed('a range of hours such as 08:00-20:00', HOURS_PATTERN).check((context) => {
  if (!HOURS_PATTERN.test(context.value) || parseHours(context.value) !== null) return
  context.issues.push({ code: 'custom', message: `the range ${quote(context.value)} is empty`, input: context.value })
})

export const days = formed(`a day (${DAYS.join(', ')}) or a range such as mon-fri`, DAYS_PATTERN).transform(
  (text) => parseDays(text) ?? [],
)

export const zone = z.string({ error: mistyped('a time zone such as Europe/Vienna or UTC') }).check((context) => {
  const text = context.value
  if (isZone(text)) return
  const suggestion = suggest(text, ['UTC', ...Intl.supportedValuesOf('timeZone')])
  const message = `${quote(text)} is not a time zone; write an IANA name such as Europe/Vienna or UTC`
  context.issues.push({
    code: 'custom',
    message,
    input: text,
    ...(suggestion === undefined ? {} : { params: { suggestion } }),
  })
})

const inReach = (ms: number | null): boolean => ms !== null && ms >= SHORTEST_TIMEOUT_MS && ms <= LONGEST_TIMEOUT_MS

export const timeout = formed('a duration such as 30s, 5m, 2h or 7d', DURATION_PATTERN)
  .refine((text) => !DURATION_PATTERN.test(text) || inReach(parseDuration(text)), {
    error: 'a timeout is between 1s and 7d',
  })
  .transform((text) => parseDuration(text) ?? SHORTEST_TIMEOUT_MS)

const BYTE_UNITS = { KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 } as const

/** A size in bytes; 1 KB is 1024 bytes. */
export const bytes = formed('a size such as 500KB, 5MB or 1GB', /^[1-9][0-9]{0,5}(KB|MB|GB)$/).transform((text) => {
  const unit = text.endsWith('KB') ? 'KB' : text.endsWith('MB') ? 'MB' : 'GB'
  return Number.parseInt(text, 10) * BYTE_UNITS[unit]
})

/** An age in milliseconds. */
export const age = formed('an age such as 12h or 7d', /^[1-9][0-9]{0,3}(h|d)$/).transform(
  (text) => Number.parseInt(text, 10) * (text.endsWith('d') ? 86_400_000 : 3_600_000),
)

const LONGEST_CHECK_MS = 30_000

export const checkTimeout = timeout.refine((ms) => ms <= LONGEST_CHECK_MS, {
  error: 'a checker’s timeout is at most 30s',
})

/** SECURITY: A27 a relative path would name a different program in every workspace. */
export const programPath = checked('a program such as ~/bin/check-ticket', (path) => {
  if (path === '' || path.length > 4096 || /[\p{Cc}\p{Cf}]/u.test(path)) return 'the program has no valid name'
  if (!path.includes('/') || path.startsWith('/') || path.startsWith('~/')) return null
  return `${quote(path)} depends on the folder it is run in; write an absolute path, one that starts with ~/, or a bare name`
})

export const word = checked('a word for the program', (text) =>
  text.length > 4096 || text.includes('\0') ? 'a word has at most 4096 characters, and no NUL' : null,
)

export const limit = formed('a limit such as 200/h or 50/session (also /m and /d)', LIMIT_PATTERN).transform(
  (text) => parseLimit(text) ?? { most: 0, windowMs: null },
)

const LONGEST_REASON = 500

/** A sentence for people, on one line. */
export const sentence = z
  .string({ error: mistyped('a sentence') })
  .check((context) => {
    const { value } = context
    const length = value.trim().length
    let message: string | null = null
    if (length === 0 || length > LONGEST_REASON) message = `a sentence has 1 to ${LONGEST_REASON} characters`
    else if (/[^\P{Cc}\n\t]|\p{Cf}/u.test(value)) message = 'the sentence has an invisible character'
    if (message !== null) context.issues.push({ code: 'custom', message, input: value })
  })
  .transform((text) => text.trim().replace(/\s+/g, ' '))

const FORBIDDEN_SEGMENTS: readonly string[] = ['__proto__', 'constructor', 'prototype']

/** The name of an argument; dots descend into objects, and lists are searched. */
export const argName = checked('the name of an argument such as options.force', (name) => {
  if (name.length > 200) return 'the name of an argument has at most 200 characters'
  const segments = name.split('.')
  if (segments.some((segment) => segment.trim() === '' || /[\p{Cc}\p{Cf}]/u.test(segment)))
    return `${quote(name)} is not the name of an argument; write it like options.force`
  if (segments.some((segment) => /^[0-9]+$/.test(segment)))
    return `lists are searched completely; remove the index from ${quote(name)}`
  const odd = segments.find((segment) => FORBIDDEN_SEGMENTS.includes(segment))
  return odd === undefined ? null : `${quote(odd)} cannot be the name of an argument`
})
