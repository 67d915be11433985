import { foundCommands, parallelCommands } from './find-exec.ts'
import { type Inner, joinedCode, type SimpleCommand, withPlaceholder } from './inner.ts'
import { type Options, stepOverOptions } from './options.ts'
import { ownCommand } from './own-command.ts'
import { findVerbIndex } from './verb.ts'
import { VERB_WRAPPERS } from './verb-wrapper-table.ts'
import { literalWord, type ShellWord, unknownWord } from './words.ts'
import { WRAPPER_ALIASES, WRAPPERS, type Wrapper } from './wrapper-table.ts'

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/

/** What a program known to run other programs would run with these words; empty for every other program. */
export function wrappedCommands(program: string, words: readonly ShellWord[]): readonly Inner[] {
  const inner = unwrapped(program, words)
  const own = ownCommand(program, words.slice(1))
  const shown = inner.some((one) => one.kind === 'words' && one.words[0]?.value === 'countersign')
  return own.length === 0 || shown ? inner : [...inner, ...own]
}

function unwrapped(program: string, words: readonly ShellWord[]): readonly Inner[] {
  const name = WRAPPER_ALIASES.get(program) ?? program
  const args = words.slice(1)
  if (name === 'find' || name === 'fd') return foundCommands(name, args)
  if (name === 'parallel') return parallelCommands(args)
  const wrapper = WRAPPERS.get(name)
  if (wrapper !== undefined) return unwrap(program, wrapper, args)
  return unwrapVerb(program, name, args)
}

function unwrapVerb(program: string, name: string, args: readonly ShellWord[]): readonly Inner[] {
  if (!VERB_PROGRAMS.has(name)) return []
  const at = findVerbIndex(name, args)
  if (at === null) return []
  const verb = args[at]?.value ?? ''
  if (name === 'docker' && verb === 'compose') return unwrapVerb(`${program} compose`, 'compose', args.slice(at + 1))
  if (name === 'docker' && verb === 'container') return unwrapVerb(program, name, args.slice(at + 1))
  if (name === 'uv' && verb === 'tool' && args[at + 1]?.value === 'run') {
    return unwrap(`${program} tool run`, WRAPPERS.get('uvx') ?? {}, args.slice(at + 2))
  }
  const wrapper = VERB_WRAPPERS.get(`${name} ${verb}`)
  return wrapper === undefined ? [] : unwrap(`${program} ${verb}`, wrapper, args.slice(at + 1))
}

const VERB_PROGRAMS: ReadonlySet<string> = new Set([...VERB_WRAPPERS.keys()].map((key) => key.split(' ')[0] ?? ''))

function unwrap(label: string, wrapper: Wrapper, args: readonly ShellWord[]): readonly Inner[] {
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
  if (words.length === 0) return []
  if (wrapper.feeds === true) words = fed(words, args, found)
  const elsewhere = wrapper.elsewhere === true || found.some((option) => wrapper.folder?.includes(option.name) === true)
  if (wrapper.joined === true) return [joinedCode(label, words, { elsewhere })]
  return [
    { kind: 'words', label, words, assignments, elsewhere, sameShell: label === 'command' || label === 'builtin' },
  ]
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

/** The words `xargs` runs: what it reads is put where the placeholder stands, or added at the end. */
function fed(words: readonly ShellWord[], args: readonly ShellWord[], found: Options['found']): readonly ShellWord[] {
  const replace = found.find(
    (option) => option.name === '-I' || option.name === '-J' || option.name === '--replace' || option.name === '-i',
  )
  if (replace === undefined) return [...words, unknownWord('…')]
  const given = replace.value === null ? '{}' : (args[replace.value.at]?.value?.slice(replace.value.from) ?? '{}')
  return withPlaceholder(words, given === '' ? '{}' : given)
}
