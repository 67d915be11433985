import { type OpenedView, safeText } from '@countersign/core'
import { type CardLook, createRows, factsOf, join, paragraph } from '@countersign/terminal/card'
import { grantFlags } from '../decision/grant-flags.ts'

/** The grants that approving could give, each with the flags that name it and its exact scope; none where none is. */
export function offerLines(opened: OpenedView, look: Pick<CardLook, 'columns' | 'paint'>): readonly string[] {
  const { grants } = factsOf(opened, { card: 0, details: 0 })
  const rows = createRows(look.columns, look.paint)
  if (grants.length === 0) return rows.lines
  rows.gap()
  rows.text(safeText('approving can also stop asking for'), { indent: 0, styles: ['bold'] })
  for (const { grant, words } of grants) {
    rows.text(join`${safeText(grantFlags(grant))}`)
    rows.field('', [paragraph(words)])
  }
  return rows.lines
}
