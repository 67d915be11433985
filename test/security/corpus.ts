import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One line of a corpus: where the case comes from, and the case itself. */
export interface CorpusCase {
  readonly source: string
  readonly text: string
}

/** Reads `corpus/<name>.tsv`: a source id, a tab, and the case as a JSON string, so that no character is lost. */
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
