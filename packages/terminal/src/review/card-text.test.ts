import type { JsonObject } from '@countersign/core'
import { openedView } from '@countersign/testing/gate/opened-view'
import { expect, it } from 'vitest'
import { createPaint } from '../card/text/color.ts'
import { cardText } from './card-text.ts'

it('shows the edit of a text as a diff of its lines, and of other arguments as JSON', () => {
  const opened = openedView({ args: { path: '.env', content: 'HOST=a\nRETRIES=3\n' } })
  const drawn = (edited: JsonObject) =>
    cardText(opened, { revealed: true, details: false, edited }, { columns: 100, paint: createPaint(false) }).rows.join(
      '\n',
    )
  const text = drawn({ path: '.env', content: 'HOST=a\nRETRIES=9\n' })
  expect(text).toMatch(/content[^\n]*\n.*1 {3}HOST=a\n.*2 - RETRIES=3\n.*2 \+ RETRIES=9/)
  expect(text.slice(0, text.indexOf('original call'))).not.toContain('"content"')
  expect(drawn({ path: '.env2', content: 'HOST=a\n' })).toMatch(/- RETRIES=3[\s\S]*\+ {3}"path": ".env2"/)
})

it('masks values with a secret name also where agent or tool repeat them, until revealed', () => {
  const made = openedView({ args: { password: 'hunter22horse' }, said: 'with hunter22horse' })
  const claims = { confirmationMessage: 'Sign in with hunter22horse?', toolDescription: 'Tries hunter22horse' }
  const opened = { ...made, view: { ...made.view, ...claims } }
  const look = { columns: 100, paint: createPaint(false) }
  const drawn = (revealed: boolean) => cardText(opened, { revealed, details: true, edited: null }, look)
  expect(drawn(false).rows.join('\n')).not.toContain('hunter22horse')
  expect(drawn(false).rows.join('\n')).toContain('Sign in with [masked password')
  expect(drawn(false).secrets).toBe(1)
  for (const words of ['with', 'Sign in with', 'Tries'])
    expect(drawn(true).rows.join('\n')).toContain(`${words} hunter22horse`)
})
