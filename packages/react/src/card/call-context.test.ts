import { maskView, type OpenedView } from '@countersign/core'
import { openedView } from '@countersign/testing/gate/opened-view'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { CallContext, sharedContext } from './call-context.tsx'

it('shares only text that is identical and present in both calls', () => {
  const { view } = openedView({ said: 'as the ticket asks' })
  expect(sharedContext(view, openedView({ said: 'as the ticket asks' }).view)).toEqual(['why', 'agent'])
  expect(sharedContext(view, openedView({ said: 'something else' }).view)).toEqual(['why'])
  const other = { ...view, verdict: { ...view.verdict, reasons: ['another'] } }
  expect(sharedContext(view, other)).toEqual(['agent'])
})

it('masks secrets of the arguments that the agent or tool repeats', () => {
  const made = openedView({ args: { password: 'hunter22horse' }, said: 'with hunter22horse' })
  const claims = { confirmationMessage: 'Sign in with hunter22horse?', toolDescription: 'Tries hunter22horse' }
  const opened = { ...made, view: { ...made.view, ...claims } }
  const draw = (shown: OpenedView): string => renderToStaticMarkup(createElement(CallContext, { opened: shown }))
  expect(draw(opened)).toContain('Sign in with hunter22horse?')
  expect(draw(maskView(opened))).toContain('Sign in with [masked password')
  expect(draw(maskView(opened))).not.toContain('hunter22horse')
})

it('shows the agent’s thinking folded, as unverified, with secrets of the arguments masked', () => {
  const opened = openedView({
    args: { password: 'hunter22horse' },
    reasoning: '1. log in with hunter22horse\n2. <b>go</b>',
  })
  const drawn = renderToStaticMarkup(createElement(CallContext, { opened: maskView(opened) }))
  expect(drawn).toContain('<summary>The agent’s thinking')
  expect(drawn).toContain('unverified')
  expect(drawn).toContain('&lt;b&gt;go&lt;/b&gt;')
  expect(drawn).not.toContain('hunter22horse')
  expect(drawn).not.toContain('<details open')
})
