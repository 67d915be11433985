/** The scanner on the development corpus. Secrets are split, so that scanners do not report this file. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scanSecrets } from '@countersign/node'
import { describe, expect, it } from 'vitest'

interface Row {
  readonly id: string
  readonly parts: readonly string[]
  /** Where the secrets are; empty for a near miss. */
  readonly secrets: readonly (readonly [start: number, end: number])[]
}

const ROWS: readonly Row[] = readFileSync(join(import.meta.dirname, 'secrets.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row)

const scanned = await Promise.all(ROWS.map(async (row) => ({ ...row, found: await scanSecrets(row.parts.join('')) })))

const percent = (part: number, whole: number) => (100 * part) / whole

describe('the secrets of the development corpus', () => {
  it('are found with a recall of at least 97 %', () => {
    const asked = scanned.flatMap(({ id, secrets, found }) =>
      secrets.map(([start, end]) => ({ id, hit: found.some((one) => one.start < end && start < one.end) })),
    )
    const missed = asked.filter(({ hit }) => !hit).map(({ id }) => id)
    const recall = percent(asked.length - missed.length, asked.length)
    console.log(`secrets: recall ${recall.toFixed(1)} % of ${asked.length}, missed ${missed.join(' ') || 'none'}`)
    expect(asked.length).toBeGreaterThanOrEqual(130)
    expect(recall).toBeGreaterThanOrEqual(97)
  })

  it('cause at most 2 % false alarms', () => {
    const plain = scanned.filter(({ secrets }) => secrets.length === 0)
    const alarms = plain.filter(({ found }) => found.length > 0).map(({ id }) => id)
    const share = percent(alarms.length, plain.length)
    console.log(`secrets: false alarms ${share.toFixed(1)} % of ${plain.length}, ${alarms.join(' ') || 'none'}`)
    expect(plain.length).toBeGreaterThanOrEqual(130)
    expect(share).toBeLessThanOrEqual(2)
  })

  it('have ordered, separate ranges within the text', () => {
    for (const { parts, found } of scanned) {
      const { length } = parts.join('')
      for (const [at, { start, end }] of found.entries()) {
        expect(start).toBeLessThan(end)
        expect(end).toBeLessThanOrEqual(length)
        expect(start).toBeGreaterThanOrEqual(found[at - 1]?.end ?? 0)
      }
    }
  })
})
