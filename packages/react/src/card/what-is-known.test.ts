import { maskView, type OpenedView } from '@countersign/core'
import { openedView } from '@countersign/testing/gate/opened-view'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { sameKnown, WhatIsKnown } from './what-is-known.tsx'

it('calls equal only what is equal word for word, and nothing that neither says', () => {
  const { view } = openedView({ said: 'as the ticket asks' })
  expect(sameKnown(view, openedView({ said: 'as the ticket asks' }).view)).toEqual(['why', 'agent'])
  expect(sameKnown(view, openedView({ said: 'something else' }).view)).toEqual(['why'])
  const other = { ...view, verdict: { ...view.verdict, reasons: ['another'] } }
  expect(sameKnown(view, other)).toEqual(['agent'])
})

it('draws no secret of the arguments where agent or tool repeat it', () => {
  const made = openedView({ args: { password: 'hunter22horse' }, said: 'with hunter22horse' })
  const claims = { confirmationMessage: 'Sign in with hunter22horse?', toolDescription: 'Tries hunter22horse' }
  const opened = { ...made, view: { ...made.view, ...claims } }
  const draw = (shown: OpenedView): string => renderToStaticMarkup(createElement(WhatIsKnown, { opened: shown }))
  expect(draw(opened)).toContain('Sign in with hunter22horse?')
  expect(draw(maskView(opened))).toContain('Sign in with [masked password')
  expect(draw(maskView(opened))).not.toContain('hunter22horse')
})
