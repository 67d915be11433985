import { openedView } from '@countersign/testing/gate/opened-view'
import { describe, expect, it } from 'vitest'
import type { Preview } from '../../preview/model/preview.ts'
import { maskView } from './masked-view.ts'
import type { OpenedView } from './verified-view.ts'

const secret = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_')

function shownOf(opened: OpenedView): string {
  const { view, body } = maskView(opened)
  return JSON.stringify({ ...view, request: '', args: body.call.args, targets: body.targets })
}

describe('a masked view', () => {
  it('masks a secret in every text that can repeat an argument', () => {
    const base = openedView({
      args: { path: secret },
      effect: `Writes ${secret}`,
      said: `I use ${secret}`,
      targets: [{ given: secret, real: `/srv/${secret}`, type: 'file', content: 'unbound' }],
      findings: [
        { checker: 'size', status: 'warn', message: `${secret} is big`, details: { of: secret }, overridable: true },
      ] as unknown as OpenedView['view']['findings'],
    })
    const { view } = base
    const risk = { ...view.risk, target: secret, reasons: [{ level: 'high', rule: 'x', text: `deletes ${secret}` }] }
    const verdict = { ...view.verdict, reasons: [`the path ${secret}`] }
    const claims = { confirmationMessage: `Use ${secret}?`, toolDescription: `Best with ${secret}` }
    const opened = { ...base, view: { ...view, ...claims, verdict, risk } } as OpenedView
    expect(shownOf(opened)).not.toContain(secret)
  })

  it('masks values with a secret name in a server’s fields and in the tool’s message', () => {
    const args = { password: 'hunter2xk9long', user: 'ann' }
    const fields = Object.entries(args).map(([name, value]) => ({ name, type: 'text', value }))
    const base = openedView({ args, preview: { kind: 'arguments', fields, notes: [] }, said: 'with hunter2xk9long' })
    const opened = { ...base, view: { ...base.view, confirmationMessage: 'Sign in as ann with hunter2xk9long?' } }
    expect(shownOf(opened)).not.toContain('hunter2xk9long')
    expect(shownOf(opened)).toContain('Sign in as ann')
  })

  it('keeps the gate’s own text, whatever value an agent marks as secret (A14)', () => {
    const base = openedView({ args: { password: 'deletes', path: 'x' }, effect: 'deletes `x`' })
    const { view } = maskView(base)
    expect([view.effect, view.risk.reasons[0]?.text]).toEqual(['deletes `x`', 'deletes files'])
  })

  it('counts a secret once, wherever it appears, and different ones each', () => {
    const other = secret.replace('A1b2', 'Z9y8')
    const command = `curl -H "Authorization: Bearer ${secret}" a && curl -H "Authorization: Bearer ${secret}" b`
    const parts = [{ text: `curl -H "Authorization: Bearer ${secret}" a` }, { text: `curl ${secret}` }]
    const preview = { kind: 'command', command, folder: '/srv', parts, notes: [] } as unknown as Preview
    expect(maskView(openedView({ args: { command }, preview })).secrets).toBe(1)
    expect(maskView(openedView({ args: { command, token: other }, preview })).secrets).toBe(2)
  })

  it('does not count a secret in text that is not displayed', () => {
    const command = 'deploy --token="pa ss;w0rd7x"'
    const preview = { kind: 'command', command, folder: '/srv', parts: [], notes: [] } as unknown as Preview
    const opened = openedView({ args: { command }, preview, effect: `Runs ${command}` })
    const masked = maskView(opened)
    expect(masked.secrets).toBe(0)
    expect(masked.view.effect).not.toContain('pa ss;w0rd7x')
    expect(maskView(openedView({ args: {}, effect: `Writes ${command}` })).secrets).toBe(1)
  })

  it('shows a value that has only the name of a secret (A14)', () => {
    const args = { token: 'production', password: 'delete-all-rows', secret: 'eu2' }
    const fields = Object.entries(args).map(([name, value]) => ({ name, type: 'text', value }))
    const opened = openedView({ args, preview: { kind: 'arguments', fields, notes: [] }, said: 'on production' })
    expect(maskView(opened)).toEqual({ ...opened, secrets: 0 })
  })

  it('masks every secret it counts', () => {
    const key = ['wJalrXUtnFEMI', 'K7MDENG', 'bPxRfiCYzQ8w2KxLm9'].join('/')
    const opened = openedView({ args: { path: 'keys.env', content: `AWS_SECRET_ACCESS_KEY=${key}\n` } })
    expect(maskView(opened).secrets).toBe(1)
    expect(shownOf(opened)).not.toContain(key)
  })

  it('has the same view and body if there are no secrets', () => {
    const opened = openedView({ args: { path: 'README.md' } })
    expect(maskView(opened)).toEqual({ ...opened, secrets: 0 })
    expect(maskView(opened).view).toBe(opened.view)
    expect(maskView(opened).body).toBe(opened.body)
  })
})
