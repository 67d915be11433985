import { join } from 'node:path'
import { type Change, verifyJournal } from '@countersign/core'
import { openCrypto, openHome } from '@countersign/node'
import { migrateSchema, openPostgresStore, parseStoreAddress } from '@countersign/postgres'
import { fillStore } from '@countersign/testing/postgres/fill-store'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { rawClient } from '@countersign/testing/postgres/raw-client'
import { type RecordedStatement, recordStatements } from '@countersign/testing/postgres/recorded-statements'
import { usePostgres } from '@countersign/testing/postgres/server'
import { close, entry, open } from '@countersign/testing/store/changes'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'

const ROWS = 100_000

/** Statements that read a whole table, and why they may. */
const WHOLE: readonly (readonly [RegExp, string])[] = [
  [/FROM "\w+"\."(checkpoint|span)"/, 'lists everything there is: one row in hundreds of entries'],
  [/SELECT workspace FROM .* UNION/, 'lists all workspaces, for a person'],
  [/"gate_(list|request)"|"machine"/, 'a row for each machine'],
]

/** A node of a plan, as EXPLAIN describes it. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

/** Tables that a plan reads from end to end. The newest rows of a list are not: a limit ends them. */
function scansOf(node: PlanNode, isLimited = false): readonly string[] {
  const type = node['Node Type']
  const ends = isLimited || type === 'Limit'
  const isWhole =
    type === 'Seq Scan' || (/^Index (Only )?Scan$/.test(type) && node['Index Cond'] === undefined && !ends)
  return [
    ...(isWhole ? [`${type} of ${node['Relation Name']}`] : []),
    ...(node.Plans ?? []).flatMap((one) => scansOf(one, ends)),
  ]
}

describe.skipIf(missingPostgres())('statements of the store', () => {
  const server = usePostgres()

  async function opened() {
    const address = server.freshAddress()
    const parsed = parseStoreAddress(address)
    await migrateSchema(parsed)
    const { schema } = parsed
    const client = await rawClient(address)
    onTestFinished(() => client.end())
    const crypto = openCrypto(openHome(join(temporaryFolder(), 'home')))
    const openStore = async () => {
      const store = await openPostgresStore(address, { crypto })
      onTestFinished(() => store.close())
      return store
    }
    return { client, schema, crypto, openStore }
  }

  /** Every statement that the store makes, each once. */
  async function statementsOf(store: Awaited<ReturnType<typeof openPostgresStore>>) {
    const recording = recordStatements()
    try {
      for (const change of changes()) expect(await store.commit(change)).toMatchObject({ kind: 'committed' })
      await store.call('a')
      for (const query of QUERIES) await store.calls(query)
      await store.grants()
      await store.counted('s', 'calls', 0)
      await store.changes('/w')
      await store.changedWorkspaces()
      await store.head()
      await store.entries(1, 2)
      await store.entriesOf('a')
      await store.outlineOf('a', 4)
      await store.spans()
      await store.checkpoints()
      await store.saveCheckpoint(1, 'note')
      await store.steadyVersion()
      const all = recording.take().flatMap(({ statements }) => statements)
      return { begin: all.find(({ text }) => text.startsWith('BEGIN'))?.text ?? '', all: distinct(all) }
    } finally {
      recording.stop()
    }
  }

  it.each([
    ['an empty store', 0],
    [`${ROWS} entries`, ROWS],
  ])('use an index with %s, in plans that are kept while it grows', async (_, size) => {
    const { client, schema, crypto, openStore } = await opened()
    if (size > 0) await fillStore(client, schema, size, crypto)
    const { begin, all } = await statementsOf(await openStore())
    expect(all.length).toBeGreaterThan(25)
    const scans: string[] = []
    for (const { text, values } of all) {
      if (WHOLE.some(([pattern]) => pattern.test(text))) continue
      await client.query(begin)
      await client.query('SET LOCAL plan_cache_mode = force_generic_plan')
      await client.query(`PREPARE planned AS ${text}`)
      const given = values.length === 0 ? '' : `(${values.map(() => 'NULL').join(', ')})`
      const { rows } = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE planned${given}`)
      await client.query('DEALLOCATE planned')
      await client.query('ROLLBACK')
      for (const scan of scansOf(rows[0]['QUERY PLAN'][0].Plan)) scans.push(`${scan}: ${text}`)
    }
    expect(scans).toEqual([])
  })

  it('leave a journal intact that was filled for these tests', async () => {
    const { client, schema, crypto, openStore } = await opened()
    await fillStore(client, schema, 500, crypto)
    const store = await openStore()
    await store.commit(open('a'))
    expect(await verifyJournal(store, { crypto, publicKeys: [] })).toMatchObject({ kind: 'intact' })
  })
})

const QUERIES = [
  {},
  { state: 'held' },
  { state: 'decided' },
  { state: ['held', 'decided', 'started'], unsealed: true },
  { state: 'held', before: 'a', limit: 10 },
  { state: ['started', 'closed'], tool: 't', outcome: 'completed', before: 'a' },
] as const

/** Changes of every kind. */
function changes(): readonly Change[] {
  const grant = {
    id: 'g',
    session: 's',
    body: '{}',
    decision: '{}',
    uses: 0,
    maxUses: 5,
    expiresAt: null,
    revokedAt: null,
  }
  const file = { path: 'f', kind: 'written', content: 'c', mark: '', before: null, seen: false, backup: null } as const
  const files = { workspace: '/w', call: 'a', agent: 'main', at: 1, files: [file], everything: null, installedSince: 5 }
  const counted = { session: 's', name: 'calls', at: 1, amount: 1, bounds: [{ from: 0, most: 5 }] }
  return [
    { ...open('a'), addGrant: grant, count: [counted] },
    open('b', { state: 'started' }),
    {
      entries: [entry('a')],
      move: { id: 'a', from: 'held', to: 'decided', set: { decision: '{}' } },
      useGrant: { id: 'g', at: 1 },
      unrecorded: { workspace: '/w', call: 'a', agent: 'main', since: 1 },
      durable: true,
    },
    { entries: [], move: { id: 'a', from: 'decided', to: 'started' }, changed: files, durable: false },
    { entries: [], seen: { ...files, files: [file], installedUntil: 9, everything: true }, durable: false },
    close('a', 'completed'),
    { entries: [entry()], revokeGrant: { id: 'g', at: 2 }, durable: false },
  ]
}

function distinct(all: readonly RecordedStatement[]): readonly RecordedStatement[] {
  const own = all.filter(({ text }) => /^(SELECT|INSERT|UPDATE|DELETE|WITH)/.test(text))
  return [...new Map(own.map((one) => [one.text, one])).values()]
}
