import { describe, expect, it } from 'vitest'
import { deadGatesTables } from '../hosts/rig/dead-gates-page.ts'
import { pageText } from './pages.ts'

describe('what each agent does when its gate fails', () => {
  it('is documented as it was measured', () => {
    const page = pageText('docs/reference/dead-gates.md')
    for (const table of deadGatesTables()) expect(page).toContain(table)
  })
})
