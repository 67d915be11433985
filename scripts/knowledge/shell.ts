import * as z from 'zod'
import type { CallEffect, Language } from '../../packages/core/src/knowledge/shell.ts'
import { CheckedFiles, jsonLiteral } from './checked-file.ts'
import type { Compiled, Domain, KnowledgeFile } from './knowledge-file.ts'

const LANGUAGES = [
  'python',
  'node',
  'perl',
  'ruby',
  'php',
  'lua',
  'r',
  'awk',
  'osascript',
  'other',
] as const satisfies readonly Language[]

const EFFECTS = [
  'run',
  'delete',
  'delete-all',
  'write',
  'move',
  'copy',
  'read',
  'open',
  'fetch',
  'send',
  'connect',
  'eval',
  'query',
  'reach',
] as const satisfies readonly CallEffect[]

const text = z.string().min(1)
const list = z
  .array(text)
  .min(1)
  .superRefine((entries, context) => {
    for (const [at, entry] of entries.entries())
      if (entries.indexOf(entry) !== at)
        context.addIssue({ code: 'custom', path: [at], message: `\`${entry}\` is listed twice` })
  })
const option = text.regex(/^--?[A-Za-z0-9]/, 'an option starts with a dash')
const options = z.array(option).min(1)
const letters = z.array(text.length(1)).min(1)
const yes = z.literal(true)

const WRAPPERS = z.strictObject({
  wrappers: z.array(
    z.strictObject({
      names: list,
      value_options: options.optional(),
      words_before: z.number().int().min(1).optional(),
      assignments: yes.optional(),
      no_run_options: options.optional(),
      code_options: options.optional(),
      only_code_options: yes.optional(),
      joined: yes.optional(),
      elsewhere: yes.optional(),
      directory_options: options.optional(),
      options_anywhere: yes.optional(),
      after_double_dash: yes.optional(),
      rest_options: options.optional(),
    }),
  ),
  aliases: z.record(z.string(), text),
})

const EXACT_WRAPPERS = z.strictObject({
  wrappers: z.array(
    z.strictObject({
      name: text,
      flags: z.array(text).min(1).optional(),
      values: options.optional(),
      joined: text.optional(),
      before: z.number().int().min(1).optional(),
      stays: yes.optional(),
    }),
  ),
})

const INTERPRETERS = z.strictObject({
  interpreters: z.array(
    z.strictObject({
      name: text,
      aliases: list.optional(),
      language: z.enum(LANGUAGES),
      code_letters: letters.optional(),
      code_options: list.optional(),
      value_letters: letters.optional(),
    }),
  ),
  calls: z.record(z.enum(LANGUAGES), z.partialRecord(z.enum(EFFECTS), list)),
})

const NAMES = z.record(z.string(), list)

const how = z.enum(['arithmetic', 'reference', 'expansion', 'code', 'key'])
const EVALUATION = z.strictObject({
  builtins: z.array(
    z.strictObject({
      names: list,
      words: how.optional(),
      declares: yes.optional(),
      options: z.record(option.length(2), how).optional(),
      value_options: z.array(option.length(2)).min(1).optional(),
      operators: z.record(option, how).optional(),
    }),
  ),
})

/** `knowledge/shell`: how to read commands that run other commands. */
export const SHELL: Domain = { folder: 'shell', compile }

function compile(files: readonly KnowledgeFile[]): Compiled {
  const checked = new CheckedFiles('shell', files)
  const wrappers = checked.read('wrappers', WRAPPERS)
  const exact = checked.read('exact-wrappers', EXACT_WRAPPERS)
  const interpreters = checked.read('interpreters', INTERPRETERS)
  const names = checked.read('names', NAMES)
  const evaluation = checked.read('evaluation', EVALUATION)
  checked.reportUnread()
  if (!wrappers || !exact || !interpreters || !names || !evaluation) return { text: '', problems: checked.problems }
  const knowledge = {
    wrappers: wrapperRows(checked, wrappers.wrappers),
    wrapper_aliases: wrappers.aliases,
    exact_wrappers: Object.fromEntries(exact.wrappers.map(({ name, ...row }) => [name, row])),
    interpreters: Object.fromEntries(
      interpreters.interpreters.map(({ name, language, code_letters = [], code_options = [], value_letters = [] }) => [
        name,
        { language, code_letters: code_letters.join(''), code_options, value_letters: value_letters.join('') },
      ]),
    ),
    interpreter_aliases: Object.fromEntries(
      interpreters.interpreters.flatMap(({ name, aliases = [] }) => aliases.map((alias) => [alias, name])),
    ),
    calls: interpreters.calls,
    evaluating_builtins: evaluatingRows(evaluation.builtins),
    names,
  }
  const module = [
    `export type ShellNames = ${Object.keys(names)
      .map((name) => `'${name}'`)
      .join(' | ')}`,
    '/** A `ShellKnowledge` as JSON. */',
    `export const SHELL = ${jsonLiteral(knowledge)}`,
    '',
  ]
  return { text: module.join('\n'), problems: checked.problems }
}

/** Rows by name, with the letters of all options that take a value. */
function evaluatingRows(builtins: z.infer<typeof EVALUATION>['builtins']): Record<string, object> {
  return Object.fromEntries(
    builtins.flatMap(({ names, words, declares, options = {}, value_options = [], operators = {} }) => {
      const short = [...Object.keys(options), ...value_options].map((name) => name.slice(1)).join('')
      const row = { short, options, operators, ...(words && { words }), ...(declares && { declares }) }
      return names.map((name) => [name, row])
    }),
  )
}

type Wrappers = z.infer<typeof WRAPPERS>['wrappers']

/** Rows by name. Options with a value become letters and long names, as the option parser takes them. */
function wrapperRows(checked: CheckedFiles, wrappers: Wrappers): Record<string, object> {
  const rows: Record<string, object> = {}
  for (const [at, { names, value_options = [], ...rest }] of wrappers.entries()) {
    const short = value_options.filter((name) => /^-[^-]$/.test(name)).map((name) => name.slice(1))
    const long = value_options.filter((name) => name.startsWith('--')).map((name) => name.slice(2))
    const file = checked.file('wrappers')
    if (file !== undefined && short.length + long.length < value_options.length)
      checked.problem(file, ['wrappers', at, 'value_options'], 'an option is one letter after `-` or a word after `--`')
    for (const name of names) {
      if (file !== undefined && Object.hasOwn(rows, name))
        checked.problem(file, ['wrappers', at, 'names'], `\`${name}\` is listed twice`)
      rows[name] = {
        ...(short.length > 0 && { short: short.join('') }),
        ...(long.length > 0 && { long }),
        ...rest,
      }
    }
  }
  return rows
}
