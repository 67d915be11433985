import type { Input } from '../expansion/standard-input.ts'
import { literalWord, type ShellWord } from '../expansion/words.ts'
import { type Options, stepOverOptions } from '../programs/option-parser.ts'
import { findVerbIndex } from '../programs/subcommand.ts'
import { LAUNCHERS, ownCommand } from './countersign-command.ts'
import { foundCommands, parallelCommands } from './find-exec.ts'
import { type Inner, joinedCode, type SimpleCommand } from './nested-command.ts'
import { VERB_WRAPPERS } from './subcommand-wrapper-table.ts'
import { WRAPPER_ALIASES, WRAPPERS, type Wrapper } from './wrapper-table.ts'
import { fedWords } from './xargs.ts'

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/

/** Every name that may run another program: for any other nothing more is looked at. */
const RUNNERS: ReadonlySet<string> = new Set([
  ...WRAPPERS.keys(),
  ...WRAPPER_ALIASES.keys(),
  ...[...VERB_WRAPPERS.keys()].map((key) => key.split(' ', 1)[0] ?? ''),
  ...LAUNCHERS,
  'find',
  'fd',
  'parallel',
])
const NONE: readonly Inner[] = []

/** What a program known to run other programs would run with these words; empty for every other program. */
export function wrappedCommands(program: string, words: readonly ShellWord[], input: Input): readonly Inner[] {
  if (!RUNNERS.has(program)) return NONE
  const args = words.slice(1)
  const inner = unwrapped(program, args, input)
  const own = ownCommand(program, args)
  if (own.length === 0) return inner
  const shown = inner.some((one) => one.kind === 'words' && one.words[0]?.value === 'countersign')
  return shown ? inner : [...inner, ...own]
}

function unwrapped(program: string, args: readonly ShellWord[], input: Input): readonly Inner[] {
  const name = WRAPPER_ALIASES.get(program) ?? program
  if (name === 'find' || name === 'fd') return foundCommands(name, args)
  if (name === 'parallel') return parallelCommands(args)
  if (name === 'xargs') return fedWords(args, input)
  const wrapper = WRAPPERS.get(name)
  if (wrapper !== undefined) return unwrap(program, wrapper, args)
  return unwrapVerb(program, name, args)
}

function unwrapVerb(program: string, name: string, args: readonly ShellWord[]): readonly Inner[] {
  const at = findVerbIndex(name, args)
  if (at === null) return NONE
  const verb = args[at]?.value ?? ''
  if (!RUNNING_VERBS.has(verb)) return NONE
  if (name === 'docker' && verb === 'compose') return unwrapVerb(`${program} compose`, 'compose', args.slice(at + 1))
  if (name === 'docker' && verb === 'container') return unwrapVerb(program, name, args.slice(at + 1))
  // `yarn prisma migrate reset` runs the project's own `prisma`.
  if (RUNS_TOOLS.has(name) && PROJECT_TOOLS.has(verb)) return unwrap(program, PLAIN, args.slice(at))
  const second = args[at + 1]?.value ?? ''
  const wrapper = VERB_WRAPPERS.get(`${name} ${verb} ${second}`)
  if (wrapper !== undefined) return unwrap(`${program} ${verb} ${second}`, wrapper, args.slice(at + 2))
  const single = VERB_WRAPPERS.get(`${name} ${verb}`)
  return single === undefined ? NONE : unwrap(`${program} ${verb}`, single, args.slice(at + 1))
}

const PLAIN: Wrapper = {}
const RUNS_TOOLS: ReadonlySet<string> = new Set(['yarn', 'pnpm', 'bun'])
/** Tools with verbs of their own that reach databases and services. */
const PROJECT_TOOLS: ReadonlySet<string> = new Set(
  (
    'prisma drizzle-kit knex sequelize sequelize-cli typeorm mikro-orm wrangler vercel netlify firebase supabase serverless sls ' +
    'sst cdk cdktf'
  ).split(' '),
)

/** Every verb behind which a command may stand: most are none, and for them no key is made. */
const RUNNING_VERBS: ReadonlySet<string> = new Set([
  ...[...VERB_WRAPPERS.keys()].map((key) => key.split(' ')[1] ?? ''),
  ...PROJECT_TOOLS,
  'compose',
  'container',
])

function unwrap(label: string, wrapper: Wrapper, args: readonly ShellWord[]): readonly Inner[] {
  if (wrapper.dashes === true || wrapper.tail !== undefined) {
    const words = lastWords(wrapper, args)
    if (words.length > 0) return [words.length === 1 ? joinedCode(label, words) : { kind: 'words', label, words }]
    // With none of its signs only code by an option is left: `mise x -c '…'`.
    return unwrap(label, { ...wrapper, dashes: false, tail: undefined, permutes: true, onlyCode: true }, args)
  }
  let options = stepOverOptions(args, 0, wrapper)
  const found = [...options.found]
  let next = options.next
  if (wrapper.onlyCode === true) {
    // `su - user -c code`: the user may stand anywhere.
    for (; next < args.length && !options.ended; next = options.next) {
      options = stepOverOptions(args, next + 1, wrapper)
      found.push(...options.found)
    }
  } else if (wrapper.permutes === true && !options.ended) {
    next += wrapper.skip ?? 0
    options = stepOverOptions(args, Math.min(next, args.length), wrapper)
    found.push(...options.found)
    next = options.next
  } else next += wrapper.skip ?? 0
  if (found.some((option) => wrapper.queries?.includes(option.name) === true)) return []
  const code = codeOption(label, wrapper, found, args)
  if (code !== null) return label === 'env' ? [appended(code, args.slice(next))] : [code]
  if (wrapper.onlyCode === true && !options.ended) return []
  const { assignments, at } = leadingAssignments(wrapper, args, next)
  let words: readonly ShellWord[] = args.slice(at)
  const entry = found.find((option) => option.name === '--entrypoint')?.value
  if (entry) words = [literalWord(args[entry.at]?.value?.slice(entry.from) ?? ''), ...words]
  if (words.length === 0) return NONE
  const where = placeOf(wrapper, found, args)
  if (wrapper.joined === true) return [joinedCode(label, words, where)]
  return [{ kind: 'words', label, words, assignments, ...where, sameShell: label === 'command' || label === 'builtin' }]
}

/** The words behind `--`, or behind an option that takes all the rest. */
function lastWords(wrapper: Wrapper, args: readonly ShellWord[]): readonly ShellWord[] {
  const at = args.findIndex(
    ({ value }) =>
      value !== null && ((wrapper.dashes === true && value === '--') || wrapper.tail?.includes(value) === true),
  )
  return at === -1 ? [] : args.slice(at + 1)
}

/** Where the inner command runs: another machine, an unknown folder, or the one an option names. */
function placeOf(
  wrapper: Wrapper,
  found: Options['found'],
  args: readonly ShellWord[],
): { elsewhere: boolean; folder?: string } {
  if (wrapper.elsewhere === true) return { elsewhere: true }
  const option = found.find(({ name }) => wrapper.folder?.includes(name) === true)
  if (option === undefined) return { elsewhere: false }
  const folder = option.value === null ? null : (args[option.value.at]?.value?.slice(option.value.from) ?? null)
  return folder === null ? { elsewhere: true } : { elsewhere: false, folder }
}

function codeOption(
  label: string,
  wrapper: Wrapper,
  found: Options['found'],
  args: readonly ShellWord[],
): Inner | null {
  const option = found.find((one) => wrapper.code?.includes(one.name) === true)
  if (option === undefined || option.value === null) return null
  const word = args[option.value.at]
  if (word === undefined) return null
  const text = word.template.slice(option.value.from)
  return {
    kind: 'code',
    label: `${label} ${option.name}`,
    text,
    known: word.value !== null,
    elsewhere: wrapper.elsewhere === true,
  }
}

function appended(code: Inner, rest: readonly ShellWord[]): Inner {
  if (code.kind !== 'code') return code
  const known = code.known && rest.every((word) => word.value !== null)
  return { ...code, text: [code.text, ...rest.map((word) => word.template)].join(' '), known }
}

function leadingAssignments(wrapper: Wrapper, args: readonly ShellWord[], start: number) {
  const assignments: { name: string; value: string | null }[] = []
  let at = start
  while (wrapper.assigns === true && at < args.length) {
    const word = args[at]
    const equals = word?.template.indexOf('=') ?? -1
    if (word === undefined || !ASSIGNMENT.test(word.template)) break
    assignments.push({ name: word.template.slice(0, equals), value: word.value?.slice(equals + 1) ?? null })
    at++
  }
  return { assignments: assignments satisfies SimpleCommand['assignments'], at }
}
