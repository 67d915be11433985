import type { z } from 'zod'
import { type ProgramFile, programFile } from '../../packages/core/src/knowledge/program-schema.ts'
import type { Compiled, Domain, KnowledgeFile } from './knowledge-file.ts'

type Row = ProgramFile['programs'][number]
type Keys = readonly (string | number)[]

/** `knowledge/programs`: one entry per program, or for several with the same ratings. */
export const PROGRAMS: Domain = { folder: 'programs', compile }

function compile(files: readonly KnowledgeFile[]): Compiled {
  const problems: string[] = []
  const rows: string[] = []
  const names: Record<string, number> = {}
  const before: Record<string, object> = {}
  let packages: object = { tools: [], scaffolds: [], programs: {} }
  const raters = new Set<string>()
  const lists: [program: string, names: readonly string[]][] = []
  for (const file of files) {
    const problem = (keys: Keys, message: string) => problems.push(`${file.path}:${file.lineOf(keys)}: ${message}`)
    const { success, data, error } = programFile.safeParse(file.data)
    if (!success) {
      for (const issue of error.issues) problem(issue.path as Keys, messageOf(issue))
      continue
    }
    data.programs.forEach((row, at) => {
      for (const [index, name] of row.names.entries()) {
        if (Object.hasOwn(names, name)) problem(['programs', at, 'names', index], `\`${name}\` is listed twice`)
        names[name] = rows.length
      }
      for (const [keys, verb] of repeatedVerbs(row)) problem(['programs', at, ...keys], `\`${verb}\` is listed twice`)
      for (const [type, option] of repeatedOptions(row.options ?? {}))
        problem(['programs', at, 'options', type], `\`${option}\` has two types`)
      if (row.rater !== undefined) raters.add(row.rater)
      if (row.lists !== undefined) lists.push([row.names[0] ?? '', Object.keys(row.lists)])
      rows.push(JSON.stringify(compiledRow(row, file, at)))
    })
    for (const [at, { programs, aliases = [], ...rest }] of (data.before_verb ?? []).entries())
      for (const name of [...programs, ...aliases]) {
        if (Object.hasOwn(before, name)) problem(['before_verb', at], `\`${name}\` is listed twice`)
        before[name] = aliases.includes(name) ? { ...rest, alias: true } : rest
      }
    if (data.known_packages !== undefined) packages = data.known_packages
  }
  return { problems, text: moduleText(rows, names, { before, packages }, [...raters].sort(), lists) }
}

function moduleText(
  rows: readonly string[],
  names: Readonly<Record<string, number>>,
  { before, packages }: { readonly before: object; readonly packages: object },
  raters: readonly string[],
  lists: readonly (readonly [program: string, names: readonly string[]])[],
): string {
  const union = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' | ') || 'never'
  return [
    `export type RaterName = ${union(raters)}`,
    '/** The lists of each program that has some, by its first name. */',
    `export interface RowLists {\n${lists.map(([program, own]) => `  '${program}': ${union(own)}\n`).join('')}}`,
    '/** The index of each name in `PROGRAMS`: ` git=12 `. */',
    `export const PROGRAM_NAMES = ${quoted(
      ` ${Object.entries(names)
        .map(([name, at]) => `${name}=${at}`)
        .join(' ')} `,
    )}`,
    '/** Options and groups before the verb by program, as JSON. */',
    `export const BEFORE_VERB = ${quoted(JSON.stringify(before))}`,
    '/** Packages that runners know, as JSON. */',
    `export const KNOWN_PACKAGES = ${quoted(JSON.stringify(packages))}`,
    '/** Each row as JSON. */',
    `export const PROGRAMS: readonly string[] = [\n${rows.map((row) => `${quoted(row)},\n`).join('')}]`,
    '',
  ].join('\n')
}

/** The part of a row that the program needs, with the line of every rating. */
function compiledRow(row: Row, file: KnowledgeFile, at: number): object {
  const { names, about, examples, verbs, flags, no_verb, ...rest } = row
  const line = (...keys: Keys) => file.lineOf(['programs', at, ...keys])
  return {
    file: file.path,
    line: line('names'),
    ...rest,
    ...(verbs && { verbs: verbs.map((group, index) => ({ ...group, line: line('verbs', index) })) }),
    ...(flags && {
      flags: flags.map(({ type, ...flag }, index) => ({
        flags: type === undefined ? [] : (row.options?.[type] ?? []),
        ...flag,
        line: line('flags', index),
      })),
    }),
    ...(no_verb && { no_verb: { ...no_verb, line: line('no_verb') } }),
  }
}

function repeatedVerbs({ verbs = [] }: Row): [Keys, string][] {
  const seen = new Set<string>()
  return verbs.flatMap((group, at) =>
    group.verbs.flatMap((verb, index): [Keys, string][] => {
      if (seen.has(verb)) return [[['verbs', at, 'verbs', index], verb]]
      seen.add(verb)
      return []
    }),
  )
}

function repeatedOptions(options: object): [string, string][] {
  const seen = new Set<string>()
  return Object.entries(options).flatMap(([type, names]: [string, readonly string[]]) =>
    names.flatMap((name): [string, string][] => {
      if (seen.has(name)) return [[type, name]]
      seen.add(name)
      return []
    }),
  )
}

function messageOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'unrecognized_keys' ? `unknown key \`${issue.keys.join('`, `')}\`` : issue.message
}

/** A text as a TypeScript literal. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
