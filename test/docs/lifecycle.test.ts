import { describe, expect, it } from 'vitest'
import { OUTCOMES } from '../../packages/core/src/approval/outcome/outcome.ts'
import { ENTRY_KINDS } from '../../packages/core/src/journal/entry-kind.ts'
import { pageText } from './pages.ts'

function firstColumn(page: string, heading: string): readonly string[] {
  const [, part = ''] = pageText(page).split(new RegExp(`^## ${heading}$`, 'm'))
  const [section = ''] = part.split(/^## /m)
  return [...section.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word),
  )
}

describe('the lifecycle page', () => {
  it('lists every outcome, and no other', () => {
    expect(firstColumn('docs/reference/lifecycle.md', 'Outcomes').toSorted()).toEqual([...OUTCOMES].toSorted())
  })
})

describe('the journal page', () => {
  it('lists every kind of entry, and no other', () => {
    const kinds = firstColumn('docs/reference/journal.md', 'Entries').filter(
      (word) => !['v', 'seq', 'at', 'kind', 'call'].includes(word),
    )
    expect(kinds.toSorted()).toEqual(Object.keys(ENTRY_KINDS).toSorted())
  })
})
