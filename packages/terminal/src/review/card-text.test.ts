import { openedView } from '@countersign/testing/gate/opened-view'
import { expect, it } from 'vitest'
import { createPaint } from '../card/text/color.ts'
import { cardText } from './card-text.ts'

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
