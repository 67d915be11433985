import { openedView } from '@countersign/testing/gate/opened-view'
import { describe, expect, it } from 'vitest'
import { batchPlace } from './batch-key.ts'
import type { OpenedView } from './verified-view.ts'

type Given = Parameters<typeof openedView>[0]
const finding = (status: 'pass' | 'warn' | 'fail' | 'skip') =>
  [{ checker: 'secrets', status, message: 'm', overridable: true }] as const

function withCall(more: Partial<OpenedView['body']['call']>): OpenedView {
  const opened = openedView({})
  return { ...opened, body: { ...opened.body, call: { ...opened.body.call, ...more } } }
}

function withView(more: Partial<OpenedView['view']>): OpenedView {
  const opened = openedView({})
  return { ...opened, view: { ...opened.view, ...more } }
}

const diff = (change: 'create' | 'overwrite') =>
  ({ kind: 'diff', path: 'x', change, hunks: [], added: 0, removed: 0, folded: 0, notes: [] }) as const
const { view } = openedView({})
const other = { id: 'other', layer: 'user', file: 'policy.yaml', line: 3 } as const
const tool = { server: null, name: 'exec', definition: 'unbound' }

describe('calls that can be decided together', () => {
  it('may differ only in their arguments', () => {
    const one = batchPlace(openedView({ args: { command: 'rm x' }, effect: 'Runs `rm x`' }))
    const another = batchPlace(
      openedView({ args: { command: 'rm y' }, effect: 'Runs `rm y`', findings: finding('pass') }),
    )
    expect(one).toEqual(another)
    expect(one?.alone).toBeNull()
  })

  it.each<[string, OpenedView, OpenedView?]>([
    ['tool', withCall({ tool: { ...tool, name: 'move_file' } })],
    ['server', withCall({ tool: { ...tool, server: 'tracker' } })],
    ['tool definition', withCall({ tool: { ...tool, definition: 'd'.repeat(64) } })],
    ['agent', withCall({ agent: ['another'] })],
    ['session', withCall({ session: 's2' })],
    ['folder', withCall({ cwd: '/elsewhere' })],
    ['risk', openedView({ risk: 'low' })],
    ['risk reason', withView({ risk: { ...view.risk, reasons: [{ level: 'medium', rule: 'z', text: 't' }] } })],
    ['rule', withView({ verdict: { ...view.verdict, rule: other } })],
    ['contributing rule', withView({ verdict: { ...view.verdict, contributors: [view.verdict.rule, other] } })],
    ['file change', openedView({ preview: diff('overwrite') }), openedView({ preview: diff('create') })],
    ['preview kind', openedView({ preview: { kind: 'arguments', fields: [], notes: [] } })],
    ['unbound target', openedView({ targets: [{ given: 'x', real: 'unbound', type: 'other', content: 'unbound' }] })],
    ['skipped check', openedView({ findings: finding('skip') })],
  ])('cannot differ in the %s', (_, opened, like = openedView({})) => {
    expect(batchPlace(opened)?.key).not.toBe(batchPlace(like)?.key)
  })

  it.each<[string, Given]>([
    ['high', { risk: 'high' }],
    ['critical', { risk: 'critical' }],
    ['manual', { supervision: 'manual' }],
    ['passkey-protected', { passkey: true }],
    ['missing a preview', { preview: { kind: 'failed', error: 'e', value: null } }],
  ])('exclude those that are %s', (_, given) => {
    expect(batchPlace(openedView(given))).toBeNull()
  })

  it.each([
    ['fail', 'the check secrets failed'],
    ['warn', 'the check secrets warns'],
  ] as const)('exclude those with the check result %s', (status, words) => {
    expect(batchPlace(openedView({ findings: finding(status) }))).toEqual({
      key: batchPlace(openedView({}))?.key,
      alone: words,
    })
  })
})
