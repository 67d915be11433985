import { describe, expect, it } from 'vitest'
import { openedView } from '../../../../test/support/opened-view.ts'
import { maskView } from './mask-view.ts'

const secret = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_')

describe('a masked view', () => {
  it('covers a secret in everything a card says about the call', () => {
    const base = openedView({ args: { path: secret }, effect: `Writes ${secret}`, said: `I use ${secret}` })
    const reasons = [{ level: 'high', rule: 'x.y', text: `deletes \`/srv/${secret}\`` }] as const
    const opened = { ...base, view: { ...base.view, risk: { ...base.view.risk, target: secret, reasons } } }
    const { view, body } = maskView(opened).opened
    const { effect, said, preview, risk, verdict, findings } = view
    expect(JSON.stringify({ effect, said, preview, risk, verdict, findings, args: body.call.args })).not.toContain(
      secret,
    )
    expect(risk.reasons[0]?.text).toContain('[masked github-token')
  })

  it('covers what stands under the name of a secret in the arguments of a server', () => {
    const args = { password: 'hunter2', user: 'ann' }
    const fields = Object.entries(args).map(([name, value]) => ({ name, type: 'text', value }))
    const { opened, secrets } = maskView(openedView({ args, preview: { kind: 'arguments', fields, notes: [] } }))
    expect(JSON.stringify(opened.view.preview)).not.toContain('hunter2')
    expect(JSON.stringify(opened.view.preview)).toContain('"ann"')
    expect(secrets).toBe(1)
  })
})
