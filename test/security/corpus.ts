import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One line of a corpus: the source of the case, and the case. */
export interface CorpusCase {
  readonly source: string
  readonly text: string
}

/** Reads `corpus/<name>.tsv`: source id, tab, and the case as a JSON string, which keeps every character. */
export function corpus(name: string): readonly CorpusCase[] {
  const lines = readFileSync(join(import.meta.dirname, 'corpus', `${name}.tsv`), 'utf8').split('\n')
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const tab = line.indexOf('\t')
      const text: unknown = JSON.parse(line.slice(tab + 1))
      if (tab < 1 || typeof text !== 'string') throw new Error(`not a case of ${name}: ${line}`)
      return { source: line.slice(0, tab), text }
    })
}
