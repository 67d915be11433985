import { expect, it } from 'vitest'
import { openedView } from '../../../test/support/opened-view.ts'
import { sameKnown } from './what-is-known.tsx'

it('calls equal only what is equal word for word, and nothing that neither says', () => {
  const { view } = openedView({ said: 'as the ticket asks' })
  expect(sameKnown(view, openedView({ said: 'as the ticket asks' }).view)).toEqual(['why', 'agent'])
  expect(sameKnown(view, openedView({ said: 'something else' }).view)).toEqual(['why'])
  const other = { ...view, verdict: { ...view.verdict, reasons: ['another'] } }
  expect(sameKnown(view, other)).toEqual(['agent'])
})
