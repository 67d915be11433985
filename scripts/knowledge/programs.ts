import type { z } from 'zod'
import { compileProgram, optionConflicts, rowConflicts } from '../../packages/core/src/knowledge/program-rows.ts'
import { type ProgramFile, programFile } from '../../packages/core/src/knowledge/program-schema.ts'
import type { Compiled, Domain, KnowledgeFile } from './knowledge-file.ts'

type Keys = readonly (string | number)[]

/** `knowledge/programs`: one entry per program, or for several with the same ratings. */
export const PROGRAMS: Domain = { folder: 'programs', compile }

function compile(files: readonly KnowledgeFile[]): Compiled {
  const problems: string[] = []
  const rows: string[] = []
  const names: Record<string, number> = {}
  const before: Record<string, object> = {}
  const tables: string[] = []
  const tableNames: Record<string, number[]> = {}
  const prints: Record<string, readonly string[]> = {}
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
    data.programs?.forEach((row, at) => {
      for (const [index, name] of row.names.entries()) {
        if (Object.hasOwn(names, name)) problem(['programs', at, 'names', index], `\`${name}\` is listed twice`)
        names[name] = rows.length
      }
      for (const { keys, message } of rowConflicts(row)) problem(['programs', at, ...keys], message)
      if (row.rater !== undefined) raters.add(row.rater)
      if (row.lists !== undefined) lists.push([row.names[0] ?? '', Object.keys(row.lists)])
      rows.push(JSON.stringify(compileProgram(row, file.path, (keys) => file.lineOf(['programs', at, ...keys]))))
    })
    for (const [at, { programs, aliases = [], ...rest }] of (data.before_verb ?? []).entries())
      for (const name of [...programs, ...aliases]) {
        if (Object.hasOwn(before, name)) problem(['before_verb', at], `\`${name}\` is listed twice`)
        before[name] = aliases.includes(name) ? { ...rest, alias: true } : rest
      }
    for (const [at, { programs, ...table }] of (data.option_tables ?? []).entries()) {
      for (const { type, message } of optionConflicts(typesOf(table))) problem(['option_tables', at, type], message)
      for (const name of programs) {
        const own = tableNames[name] ?? []
        tableNames[name] = [...own, tables.length]
      }
      tables.push(JSON.stringify(table))
    }
    for (const { programs, words } of data.prints ?? [])
      for (const name of programs) prints[name] = [...(prints[name] ?? []), ...words]
    if (data.known_packages !== undefined) packages = data.known_packages
  }
  return {
    problems,
    text: moduleText(rows, names, { before, packages, tables, tableNames, prints }, [...raters].sort(), lists),
  }
}

function moduleText(
  rows: readonly string[],
  names: Readonly<Record<string, number>>,
  {
    before,
    packages,
    tables,
    tableNames,
    prints,
  }: {
    readonly before: object
    readonly packages: object
    readonly tables: readonly string[]
    readonly tableNames: object
    readonly prints: object
  },
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
    '/** The indices of the option tables of each program, as JSON. */',
    `export const OPTION_TABLE_NAMES = ${quoted(JSON.stringify(tableNames))}`,
    '/** Each option table as JSON. */',
    `export const OPTION_TABLES: readonly string[] = [\n${tables.map((table) => `${quoted(table)},\n`).join('')}]`,
    '/** The command lines with which programs only print, as JSON. */',
    `export const PRINTS = ${quoted(JSON.stringify(prints))}`,
    '/** Packages that runners know, as JSON. */',
    `export const KNOWN_PACKAGES = ${quoted(JSON.stringify(packages))}`,
    '/** Each row as JSON. */',
    `export const PROGRAMS: readonly string[] = [\n${rows.map((row) => `${quoted(row)},\n`).join('')}]`,
    '',
  ].join('\n')
}

/** The options of a table by type, without its other keys. */
function typesOf(table: ProgramFile extends { option_tables?: (infer T)[] } ? Omit<T, 'programs'> : never): object {
  const {
    verbs,
    proof,
    changes,
    depends_on,
    read_by_rater,
    unproven,
    proven,
    proven_words,
    unproven_values,
    variables,
    unproven_words,
    words,
    pattern_options,
    two_values,
    words_end_options,
    then_words,
    other_dashes,
    single_dash,
    detached_values,
    ...types
  } = table
  return types
}

function messageOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'unrecognized_keys' ? `unknown key \`${issue.keys.join('`, `')}\`` : issue.message
}

/** A text as a TypeScript literal. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
