import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { pageText, ROOT } from './pages.ts'

it('the agent events reference lists every event, and no other', () => {
  const declared = readFileSync(join(ROOT, 'packages/agent/src/loop/event.ts'), 'utf8')
  const kinds = [...declared.matchAll(/readonly kind: '(\w+)'/g)].map(([, kind]) => kind)
  const rows = [...pageText('docs/reference/agent-events.md').matchAll(/^\| `(\w+)` \|/gm)].map(([, kind]) => kind)
  expect(kinds.length).toBeGreaterThan(10)
  expect(rows.filter((row) => row !== 'kind').toSorted()).toEqual(kinds.toSorted())
})

it('the agent guide lists every stop reason', () => {
  const declared = readFileSync(join(ROOT, 'packages/agent/src/loop/stop-conditions.ts'), 'utf8')
  const reasons = [...declared.matchAll(/\| '([\w-]+)'/g)].map(([, why]) => why)
  expect(reasons.length).toBeGreaterThan(5)
  for (const why of reasons) expect(pageText('docs/guides/agent.md')).toContain(`| \`${why}\` |`)
})
