import { shellKnowledge, shellNames, type WrapperRow } from '../../knowledge/shell.ts'
import type { Input } from '../expansion/standard-input.ts'
import { literalWord, type ShellWord } from '../expansion/words.ts'
import { type Options, stepOverOptions } from '../programs/option-parser.ts'
import { findVerbIndex } from '../programs/subcommand.ts'
import { LAUNCHERS, ownCommand } from './countersign-command.ts'
import { type Inner, joinedCode, type SimpleCommand } from './nested-command.ts'
import { foundCommands, parallelCommands, xargsCommands } from './repeated-commands.ts'

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/

interface Runners {
  /** Every program that may run another. */
  readonly programs: ReadonlySet<string>
  /** Every verb after which a command may follow. */
  readonly verbs: ReadonlySet<string>
}

let runners: Runners | undefined

/** Rules out most programs and verbs with one lookup. */
function runnerNames(): Runners {
  if (runners !== undefined) return runners
  const { wrappers, wrapper_aliases } = shellKnowledge()
  const names = Object.keys(wrappers).map((name) => name.split(' '))
  runners = {
    programs: new Set([
      ...names.map(([program = '']) => program),
      ...Object.keys(wrapper_aliases),
      ...LAUNCHERS,
      'find',
      'fd',
      'parallel',
    ]),
    verbs: new Set([...names.flatMap(([, verb = []]) => verb), ...PROJECT_TOOLS, 'compose', 'container']),
  }
  return runners
}

function wrapperOf(name: string): WrapperRow | undefined {
  const { wrappers } = shellKnowledge()
  return Object.hasOwn(wrappers, name) ? wrappers[name] : undefined
}

const NONE: readonly Inner[] = []

/** What a program that runs other programs runs with these words; empty for any other program. */
export function wrappedCommands(program: string, words: readonly ShellWord[], input: Input): readonly Inner[] {
  if (!runnerNames().programs.has(program)) return NONE
  const args = words.slice(1)
  const inner = unwrapped(program, args, input)
  const own = ownCommand(program, args)
  if (own.length === 0) return inner
  const shown = inner.some((one) => one.kind === 'words' && one.words[0]?.value === 'countersign')
  return shown ? inner : [...inner, ...own]
}

function unwrapped(program: string, args: readonly ShellWord[], input: Input): readonly Inner[] {
  const { wrapper_aliases: aliases } = shellKnowledge()
  const name = Object.hasOwn(aliases, program) ? (aliases[program] ?? program) : program
  if (name === 'find' || name === 'fd') return foundCommands(name, args)
  if (name === 'parallel') return parallelCommands(args)
  if (name === 'xargs') return xargsCommands(args, input)
  const wrapper = wrapperOf(name)
  if (wrapper !== undefined) return unwrap(program, wrapper, args)
  return unwrapVerb(program, name, args)
}

function unwrapVerb(program: string, name: string, args: readonly ShellWord[]): readonly Inner[] {
  const at = findVerbIndex(name, args)
  if (at === null) return NONE
  const verb = args[at]?.value ?? ''
  if (!runnerNames().verbs.has(verb)) return NONE
  if (name === 'docker' && verb === 'compose') return unwrapVerb(`${program} compose`, 'compose', args.slice(at + 1))
  if (name === 'docker' && verb === 'container') return unwrapVerb(program, name, args.slice(at + 1))
  // `yarn prisma migrate reset` runs the project's `prisma`.
  if (PROJECT_TOOL_RUNNERS.has(name) && PROJECT_TOOLS.has(verb)) return unwrap(program, PLAIN, args.slice(at))
  const second = args[at + 1]?.value ?? ''
  const wrapper = wrapperOf(`${name} ${verb} ${second}`)
  if (wrapper !== undefined) return unwrap(`${program} ${verb} ${second}`, wrapper, args.slice(at + 2))
  const single = wrapperOf(`${name} ${verb}`)
  return single === undefined ? NONE : unwrap(`${program} ${verb}`, single, args.slice(at + 1))
}

const PLAIN: WrapperRow = {}
const PROJECT_TOOL_RUNNERS = shellNames('project_tool_runners')
const PROJECT_TOOLS = shellNames('project_tools')

function unwrap(label: string, wrapper: WrapperRow, args: readonly ShellWord[]): readonly Inner[] {
  if (wrapper.after_double_dash === true || wrapper.rest_options !== undefined) {
    const words = lastWords(wrapper, args)
    if (words.length > 0) return [words.length === 1 ? joinedCode(label, words) : { kind: 'words', label, words }]
    // Without `--` only the code of an option can run: `mise x -c '…'`.
    const { after_double_dash, rest_options, ...rest } = wrapper
    return unwrap(label, { ...rest, options_anywhere: true, only_code_options: true }, args)
  }
  let options = stepOverOptions(args, 0, wrapper)
  const found = [...options.found]
  let next = options.next
  if (wrapper.only_code_options === true) {
    // `su - user -c code`: the user may come anywhere.
    for (; next < args.length && !options.ended; next = options.next) {
      options = stepOverOptions(args, next + 1, wrapper)
      found.push(...options.found)
    }
  } else if (wrapper.options_anywhere === true && !options.ended) {
    next += wrapper.words_before ?? 0
    options = stepOverOptions(args, Math.min(next, args.length), wrapper)
    found.push(...options.found)
    next = options.next
  } else next += wrapper.words_before ?? 0
  if (found.some((option) => wrapper.no_run_options?.includes(option.name) === true)) return []
  const code = codeOption(label, wrapper, found, args)
  if (code !== null) return label === 'env' ? [appended(code, args.slice(next))] : [code]
  if (wrapper.only_code_options === true && !options.ended) return []
  const { assignments, at } = leadingAssignments(wrapper, args, next)
  let words: readonly ShellWord[] = args.slice(at)
  const entry = found.find((option) => option.name === '--entrypoint')?.value
  if (entry) words = [literalWord(args[entry.at]?.value?.slice(entry.from) ?? ''), ...words]
  if (words.length === 0) return NONE
  const where = locationOf(wrapper, found, args)
  if (wrapper.joined === true) return [joinedCode(label, words, where)]
  return [{ kind: 'words', label, words, assignments, ...where, sameShell: label === 'command' || label === 'builtin' }]
}

/** The words after `--`, or after an option that takes all the rest. */
function lastWords(wrapper: WrapperRow, args: readonly ShellWord[]): readonly ShellWord[] {
  const at = args.findIndex(
    ({ value }) =>
      value !== null &&
      ((wrapper.after_double_dash === true && value === '--') || wrapper.rest_options?.includes(value) === true),
  )
  return at === -1 ? [] : args.slice(at + 1)
}

/** Where the command runs: on another machine, in an unknown folder, or in the one that an option names. */
function locationOf(
  wrapper: WrapperRow,
  found: Options['found'],
  args: readonly ShellWord[],
): { elsewhere: boolean; folder?: string } {
  if (wrapper.elsewhere === true) return { elsewhere: true }
  const option = found.find(({ name }) => wrapper.directory_options?.includes(name) === true)
  if (option === undefined) return { elsewhere: false }
  const folder = option.value === null ? null : (args[option.value.at]?.value?.slice(option.value.from) ?? null)
  return folder === null ? { elsewhere: true } : { elsewhere: false, folder }
}

function codeOption(
  label: string,
  wrapper: WrapperRow,
  found: Options['found'],
  args: readonly ShellWord[],
): Inner | null {
  const option = found.find((one) => wrapper.code_options?.includes(one.name) === true)
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

/** `PATH="$PATH"`: a variable as it is. */
export const PASSED_ON = /^([A-Z]+)="\$(?:\1|\{\1\})"$/

function leadingAssignments(wrapper: WrapperRow, args: readonly ShellWord[], start: number) {
  const assignments: { name: string; value: string | null }[] = []
  let at = start
  while (wrapper.assignments === true && at < args.length) {
    const word = args[at]
    const equals = word?.template.indexOf('=') ?? -1
    if (word === undefined || !ASSIGNMENT.test(word.template)) break
    // `env -i PATH="$PATH"` passes it on as it is; without quotes, what follows a space in it would be the program.
    if (!PASSED_ON.test(word.text))
      assignments.push({ name: word.template.slice(0, equals), value: word.value?.slice(equals + 1) ?? null })
    at++
  }
  return { assignments: assignments satisfies SimpleCommand['assignments'], at }
}
