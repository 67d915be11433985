import { openedView } from '@countersign/testing/gate/opened-view'
import { renderToString } from 'ink'
import { createElement } from 'react'
import { expect, it } from 'vitest'
import { QueueList } from './list.tsx'

it('shows no secret in a call’s row', () => {
  const secret = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_')
  const held = [openedView({ effect: `Runs \`deploy --token ${secret}\`` })]
  const drawn = renderToString(createElement(QueueList, { held, selected: null, columns: 120, rows: 5, color: false }))
  expect(drawn).toContain('deploy --token [masked')
  expect(drawn).not.toContain(secret)
})
