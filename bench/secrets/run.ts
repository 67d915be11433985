import { lintSource } from '@secretlint/core'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import { scanText } from '../../packages/core/src/secrets/scan-text.ts'
import { scanSecrets } from '../../packages/node/src/checkers/secret-scanner.ts'
import { type Contender, interleave } from '../interleave.ts'
import type { BenchRow, BenchTable } from '../table.ts'
import { ADVERSARIAL, codeText, corpusTexts, randomLine } from './texts.ts'

const OURS = 'countersign'
const ALONE = 'secretlint alone'
const MB = 1024 * 1024

/** A scan compared with secretlint’s own on the same texts, and the worst case of a text ten times as long. */
export async function benchSecrets({ quick = false } = {}): Promise<BenchTable> {
  // Loads secretlint and turns its profiler off, for both.
  await scanSecrets('')
  const rows: BenchRow[] = []
  for (const [name, texts] of [
    ['the development corpus', corpusTexts()],
    ['1 MB of code', [codeText(MB)]],
    ['1 MB in one line', [randomLine(MB)]],
  ] as const) {
    const measured = await interleave(
      [contender(ALONE, texts, lintAlone), contender(OURS, texts, scanSecrets)],
      quick ? { reps: 10, turnMs: 10, warmMs: 20 } : { turnMs: 100 },
    )
    const ratio = measured.ratio(OURS, ALONE)
    rows.push({ name: `${name}: ${ALONE}`, median: measured.median(ALONE), unit: 'ns' })
    rows.push({
      name: `${name}: ${OURS}`,
      median: measured.median(OURS),
      unit: 'ns',
      ratio: `${ratio.toFixed(2)}× ${ALONE}`,
      target: '≤ 2×',
      ok: ratio <= 2,
    })
  }
  rows.push(growth(quick))
  return { title: 'Secrets: one scan', rows }
}

function lintAlone(content: string): Promise<unknown> {
  return lintSource({
    source: { filePath: 'text', content, ext: '', contentType: 'text' },
    options: { config: { rules: [{ id: creator.meta.id, rule: creator }] }, noPhysicFilePath: true },
  })
}

/** One operation scans every text once, so that both scan the same in every turn. */
function contender(name: string, texts: readonly string[], scan: (text: string) => Promise<unknown>): Contender {
  return {
    name,
    async run(times) {
      for (let i = 0; i < times; i++) for (const text of texts) await scan(text)
    },
  }
}

/** INVARIANT: L10, our own search is linear even on its worst-case texts. */
function growth(quick: boolean): BenchRow {
  let worst = { piece: '', ratio: 0, ms: 0 }
  for (const piece of ADVERSARIAL) {
    const short = timeOf(piece.repeat((100 * 1024) / piece.length), quick)
    const long = timeOf(piece.repeat(MB / piece.length), quick)
    if (long / short > worst.ratio) worst = { piece, ratio: long / short, ms: long }
  }
  return {
    name: `1 MB of ${JSON.stringify(worst.piece)}, the worst of ${ADVERSARIAL.length}`,
    median: worst.ms,
    unit: 'ms',
    ratio: `${worst.ratio.toFixed(1)}× 100 KB`,
    target: '≤ 15×',
    ok: worst.ratio <= 15,
  }
}

/** The minimum CPU time, which excludes other programs. */
function timeOf(text: string, quick: boolean): number {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < (quick ? 3 : 5); i++) {
    const start = process.cpuUsage()
    scanText(text)
    least = Math.min(least, process.cpuUsage(start).user / 1000)
  }
  return Math.max(least, 0.5)
}
