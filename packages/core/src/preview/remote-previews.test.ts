import { calmRisk } from '@countersign/testing/gate/harmless-risk'
import { frozenCall as call, memoryTargets as targets } from '@countersign/testing/gate/memory-targets'
import { describe, expect, it } from 'vitest'
import { buildPreview, customPreview } from './build-preview.ts'
import type { Preview } from './model/preview.ts'

const preview = (tool: string, args: object, server?: string): Promise<Preview> =>
  buildPreview(call(tool, args, server), calmRisk({ target: 'users' }), targets({}))

describe('a query', () => {
  it('is shown with its destination and its full text', async () => {
    expect(await preview('query', { sql: 'DELETE FROM users', database: 'prod', limit: 5 }, 'postgres')).toMatchObject({
      kind: 'query',
      store: 'prod',
      target: 'users',
      sql: 'DELETE FROM users',
      args: { database: 'prod', limit: 5 },
    })
    expect(await preview('query', { sql: 'SELECT 1' }, 'postgres')).toMatchObject({ store: 'postgres', args: {} })
  })
})

describe('a web request', () => {
  it.each<[string, object, object]>([
    ['WebFetch', { url: 'https://a.example/x', prompt: 'p' }, { method: 'GET', host: 'a.example', notes: [] }],
    ['fetch_url', { url: 'https://a.example', method: 'delete' }, { method: 'DELETE', args: {} }],
    [
      'fetch',
      { url: 'http://a.example' },
      { notes: ['not encrypted: anyone on the network path can read and change it'] },
    ],
    ['fetch', { url: 'http://127.0.0.1:80' }, { notes: [] }],
    [
      'fetch',
      { url: 'https://good.example@evil.example/' },
      { host: 'evil.example', notes: ['the URL contains a user name or password'] },
    ],
    ['fetch', { url: 'https://раypal.com' }, { notes: ['the host name has letters of other scripts'] }],
  ])('%s %j', async (tool, args, expected) => {
    expect(await preview(tool, args)).toMatchObject({ kind: 'http', ...expected })
  })

  it.each(['file:///etc/passwd', 'no address'])('is not previewed for `%s`', async (url) => {
    expect((await preview('fetch', { url })).kind).toBe('json')
  })
})

describe('a server’s tool', () => {
  it('is shown as typed arguments', async () => {
    const args = { text: 'x', long: 'y'.repeat(1200), n: 1, yes: false, list: [1], none: null, more: { a: 1 } }
    const shown = await preview('frobnicate', args, 'things')
    expect(shown).toMatchObject({ kind: 'arguments', notes: [] })
    expect(shown.kind === 'arguments' ? shown.fields.map(({ name, type }) => [name, type]) : []).toEqual([
      ['text', 'text'],
      ['long', 'text, 1,200 characters'],
      ['n', 'number'],
      ['yes', 'true or false'],
      ['list', 'list of 1'],
      ['none', 'null'],
      ['more', 'object, 1 field'],
    ])
    expect(await preview('frobnicate', {}, 'things')).toMatchObject({ fields: [], notes: ['no arguments'] })
  })
})

describe('a tool’s own preview', () => {
  it.each<[string, () => unknown, string]>([
    [
      'throws',
      () => {
        throw new Error('no')
      },
      'the preview failed: no',
    ],
    ['rejects', () => Promise.reject(new Error('later')), 'the preview failed: later'],
    ['is not JSON', () => ({ at: new Date(0) }), '`preview.at`'],
    ['is a number outside JSON', () => Number.NaN, 'preview'],
    ['is huge', () => 'x'.repeat(2_000_000), 'preview'],
    [
      'is infinitely deep',
      () => {
        const loop: { self?: unknown } = {}
        loop.self = loop
        return loop
      },
      'preview',
    ],
  ])('that %s is replaced by the arguments and the error', async (_, make, error) => {
    const shown = await customPreview(call('x', { a: 1 }), make as never)
    expect(shown).toMatchObject({ kind: 'failed', value: { a: 1 }, error: expect.stringContaining(error) })
  })
})
