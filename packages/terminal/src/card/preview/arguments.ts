import { type JsonObject, safeJson, safeLines } from '@countersign/core'
import { type Fold, paragraph, type Rows } from '../text/rows.ts'

/** A longer argument stands in a block of its own, folded where it is very long. */
const LONG = 160
const FOLD: Fold = { head: 12, tail: 6 }

/** Every argument that the picture above is not made of. INVARIANT: L5, a long one is folded with its length, never left out. */
export function otherArguments(args: JsonObject, isShown: (name: string, value: unknown) => boolean, rows: Rows): void {
  const others = Object.entries(args).filter(([name, value]) => !isShown(name, value))
  if (others.length === 0) return
  const isShort = ([, value]: (typeof others)[number]): boolean => JSON.stringify(value).length <= LONG
  const short = others.filter(isShort)
  if (!rows.isAfterField) rows.gap()
  if (short.length > 0)
    rows.field(
      'with',
      short.map(([name, value]) => paragraph(`${name}: ${JSON.stringify(value)}`)),
    )
  for (const [name, value] of others.filter((one) => !isShort(one))) {
    rows.field('with', [paragraph(`${name}:`)])
    const lines = typeof value === 'string' ? safeLines(value) : safeJson(value)
    rows.block(
      lines.map((text) => ({ text })),
      FOLD,
    )
  }
}
