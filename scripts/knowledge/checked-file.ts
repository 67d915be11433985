import type * as z from 'zod'
import type { KnowledgeFile } from './knowledge-file.ts'

/** The files of a domain by name. Collects problems as `file:line: message`. */
export class CheckedFiles {
  readonly problems: string[] = []
  readonly #files: readonly KnowledgeFile[]
  readonly #folder: string
  readonly #read = new Set<KnowledgeFile>()

  constructor(folder: string, files: readonly KnowledgeFile[]) {
    this.#folder = folder
    this.#files = files
  }

  /** The data of `<name>.yaml`; undefined if it is missing or does not match the schema. */
  read<T>(name: string, schema: z.ZodType<T>): T | undefined {
    const file = this.file(name)
    if (file === undefined) {
      this.problems.push(`knowledge/${this.#folder}/${name}.yaml:1: the file is missing`)
      return undefined
    }
    this.#read.add(file)
    const { data, error } = schema.safeParse(file.data)
    for (const { path, message } of error?.issues ?? []) {
      const keys = path.filter((key) => typeof key !== 'symbol')
      this.problem(file, keys, `\`${keys.join('.')}\`: ${message}`)
    }
    return data
  }

  file(name: string): KnowledgeFile | undefined {
    return this.#files.find(({ path }) => path.endsWith(`/${name}.yaml`))
  }

  problem(file: KnowledgeFile, keys: readonly (string | number)[], message: string): void {
    this.problems.push(`${file.path}:${file.lineOf(keys)}: ${message}`)
  }

  /** Reports unused files. */
  reportUnread(): void {
    for (const file of this.#files)
      if (!this.#read.has(file)) this.problem(file, [], `no domain reads this file; add it to scripts/knowledge`)
  }
}

/** A value as a TypeScript string for `JSON.parse`, which costs nothing until it is parsed. */
export function jsonLiteral(value: unknown): string {
  return `'${JSON.stringify(value).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
