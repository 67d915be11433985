import { z } from 'zod'
import type { Domain, KnowledgeFile } from './knowledge-file.ts'

/** One key of a knowledge file: how its value is checked, and the code that it becomes. */
interface Field {
  readonly schema: z.ZodType
  emit(value: never, file: KnowledgeFile, key: string): string
}

/** A list of distinct words. */
export const WORDS: Field = {
  schema: z.array(z.string().min(1)).min(1).superRefine(checkUnique),
  emit: (value) => `words(${JSON.stringify(value)})`,
}

/** A list whose order counts. */
export const LIST: Field = { ...WORDS, emit: (value) => JSON.stringify(value) }

/** A value by word. `type` is the TypeScript type of the values. */
export function table(schema: z.ZodType, type: string): Field {
  return {
    schema: z.record(z.string(), schema),
    emit: (value) => `table<${type}>(${JSON.stringify(value)})`,
  }
}

/** Rows, each with the line where it starts. `type` is the TypeScript type of a row. */
export function rows(schema: z.ZodType, type: string): Field {
  return {
    schema: z.array(schema).min(1),
    emit: (value: readonly object[], file, key) => {
      const located = value.map((row, at) => ({ ...row, line: file.lineOf([key, at]) }))
      return `${JSON.stringify(located)} satisfies readonly ${type}[] as readonly ${type}[]`
    },
  }
}

type Fields = Readonly<Record<string, Field>>

/**
 * A folder of files that each have a fixed set of keys. `name-words.yaml` becomes the constant `NAME_WORDS`, its key
 * `final_verbs` the property `finalVerbs`. `head` holds the imports of the compiled module.
 */
export function wordDomain(folder: string, specs: Readonly<Record<string, Fields>>, head: string): Domain {
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
      return { text: `${head}\n${constants.join('\n')}\n`, problems }
    },
  }
}

function check(file: KnowledgeFile, fields: Fields): readonly string[] {
  const shape = Object.fromEntries(Object.entries(fields).map(([key, { schema }]) => [key, schema]))
  const { error } = z.strictObject(shape).safeParse(file.data)
  return (error?.issues ?? []).map(({ path, message }) => {
    const keys = path.filter((key) => typeof key !== 'symbol')
    return `${file.path}:${file.lineOf(keys)}: ${keys.join('.')}: ${message}`
  })
}

function constant(file: KnowledgeFile, name: string, fields: Fields): string {
  const data = (file.data ?? {}) as Readonly<Record<string, never>>
  const properties = Object.entries(fields)
    .filter(([key]) => data[key] !== undefined)
    .map(([key, field]) => `  ${camelCase(key)}: ${field.emit(data[key] as never, file, key)},`)
  return `export const ${name.toUpperCase().replaceAll('-', '_')} = {\n${properties.join('\n')}\n}`
}

function camelCase(key: string): string {
  return key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function checkUnique(list: readonly string[], context: z.RefinementCtx): void {
  for (const [at, word] of list.entries())
    if (list.indexOf(word) !== at) context.addIssue({ code: 'custom', path: [at], message: `\`${word}\` is listed twice` })
}
