import { z } from 'zod'
import type { Domain, KnowledgeFile } from './knowledge-file.ts'

/** One key of a knowledge file: how to check its value, and the code it becomes. */
interface Field {
  readonly schema: z.ZodType
  emit(value: never, file: KnowledgeFile, key: string): string
}

type Fields = Readonly<Record<string, Field>>

export const WORD = z.string().min(1)
export const WORD_LIST = z.array(WORD).min(1).superRefine(checkUnique)

/** Keys that hold a list of distinct words. */
export function words(...keys: readonly string[]): Fields {
  return Object.fromEntries(keys.map((key) => [key, { schema: WORD_LIST, emit: (list) => `words(${json(list)})` }]))
}

/** A list that the code reads in order. */
export const LIST: Field = { schema: WORD_LIST, emit: (list) => `${json(list)} as readonly string[]` }

/** Values by word. `type` is the TypeScript type of a value. */
export function table(schema: z.ZodType, type: string): Field {
  return { schema: z.record(z.string(), schema), emit: (rows) => `table<${type}>(${json(rows)})` }
}

/** One value with fixed keys. `type` is its TypeScript type. */
export function record(schema: z.ZodType, type: string): Field {
  return { schema, emit: (value) => `${json(value)} as ${type}` }
}

/**
 * Rows, each with its first line. `type` is the TypeScript type of a row; the words under `unique` may appear in
 * one row only.
 */
export function rows(
  schema: z.ZodType,
  type: string,
  { unique, expand = (all) => all }: { unique?: string; expand?: (all: readonly object[]) => readonly object[] } = {},
): Field {
  return {
    schema: z
      .array(schema)
      .min(1)
      .superRefine((all, context) => checkRows(all as readonly Row[], unique, context)),
    emit: (value: readonly object[], file, key) => {
      const located = value.map((row, at) => ({ ...row, line: file.lineOf([key, at]) }))
      return `${json(expand(located).map(camelKeys))} as readonly ${type}[]`
    },
  }
}

/**
 * A folder of files that each have a fixed set of keys. `name-words.yaml` becomes the constant `NAME_WORDS`, its key
 * `final_verbs` the property `finalVerbs`. `types` are types of `packages/core/src/knowledge/<folder>.ts`.
 */
export function wordDomain(
  folder: string,
  specs: Readonly<Record<string, Fields>>,
  types: readonly string[] = [],
): Domain {
  return {
    folder,
    compile(files) {
      const problems = Object.keys(specs)
        .filter((name) => !files.some(({ path }) => path.endsWith(`/${name}.yaml`)))
        .map((name) => `knowledge/${folder}/${name}.yaml:1: the file is missing`)
      const constants = files.map((file) => {
        const name = file.path.replace(/^.*\/|\.yaml$/g, '')
        const fields = specs[name]
        if (fields === undefined) problems.push(`${file.path}:1: add the file to scripts/knowledge/${folder}.ts`)
        else problems.push(...check(file, fields))
        return fields === undefined ? '' : constant(file, name, fields)
      })
      return { text: `${imports(folder, types, constants.join('\n'))}${constants.join('\n')}\n`, problems }
    },
  }
}

function imports(folder: string, types: readonly string[], text: string): string {
  const used = ['table', 'words'].filter((name) => text.includes(`${name}(`) || text.includes(`${name}<`))
  const typeImport = types.length === 0 ? '' : `import type { ${types.join(', ')} } from '../${folder}.ts'\n`
  return `${typeImport}import { ${used.join(', ')} } from '../words.ts'\n\n`
}

function check(file: KnowledgeFile, fields: Fields): readonly string[] {
  const shape = Object.fromEntries(Object.entries(fields).map(([key, { schema }]) => [key, schema]))
  const { error } = z.strictObject(shape).safeParse(file.data)
  return (error?.issues ?? []).map(({ path, message }) => {
    const keys = path.filter((key) => typeof key !== 'symbol')
    return `${file.path}:${file.lineOf(keys)}: ${keys.length === 0 ? '' : `${keys.join('.')}: `}${message}`
  })
}

function constant(file: KnowledgeFile, name: string, fields: Fields): string {
  const data = (file.data ?? {}) as Readonly<Record<string, never>>
  const properties = Object.entries(fields)
    .filter(([key]) => data[key] !== undefined)
    .map(([key, field]) => `  ${camelCase(key)}: ${field.emit(data[key] as never, file, key)},`)
  return `export const ${name.toUpperCase().replaceAll('-', '_')} = {\n${properties.join('\n')}\n}`
}

function camelKeys(row: object): object {
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [camelCase(key), value]))
}

/** The name of a key in the compiled module. */
export function camelCase(key: string): string {
  return key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

const json = JSON.stringify

type Row = Readonly<Record<string, readonly string[] | undefined>>

function checkRows(all: readonly Row[], key: string | undefined, context: z.RefinementCtx): void {
  if (key === undefined) return
  const seen = new Set<string>()
  for (const [at, row] of all.entries())
    for (const word of row[key] ?? []) {
      if (seen.has(word))
        context.addIssue({ code: 'custom', path: [at, key], message: `\`${word}\` is in another row too` })
      seen.add(word)
    }
}

function checkUnique(list: readonly string[], context: z.RefinementCtx): void {
  for (const [at, word] of list.entries())
    if (list.indexOf(word) !== at)
      context.addIssue({ code: 'custom', path: [at], message: `\`${word}\` is listed twice` })
}
