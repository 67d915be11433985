import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openServiceWorld, type ServiceWorld } from '@countersign/testing/gate/service'
import { until } from '@countersign/testing/until'
import { describe, expect, it } from 'vitest'

interface Planned {
  readonly calls: readonly string[]
  readonly plan: string
  readonly steps: readonly {
    readonly path: string
    readonly name: string
    readonly does: string
    readonly since: string
  }[]
  readonly preview: { readonly parts: readonly object[] }
}

/** An agent writes two files with nobody asked, one after the other. */
async function withWrites() {
  const world = await openServiceWorld({ policy: 'version: 1\npreset: balanced\n' })
  const at = (name: string) => join(world.workspace, name)
  writeFileSync(at('a.ts'), 'one\n')
  async function write(id: string, path: string, content: string): Promise<void> {
    const gate = await world.connect()
    const call = { id, tool: 'write_file', source: 'builtin', args: { path, content }, cwd: world.workspace } as const
    const permit = await gate.ask(call)
    if (permit.kind === 'refusal') throw new Error(permit.message)
    writeFileSync(at(path), content)
    await gate.settle(permit, 'completed')
    gate.close()
  }
  await write('first', 'a.ts', 'two\n')
  await write('second', 'b.ts', 'made\n')
  const plan = (json: object) => world.json<Planned>('/undo/plan', { json })
  return { world, at, write, plan }
}

async function approveUndo(world: ServiceWorld, json: object): Promise<void> {
  const { call } = await world.json<{ call: string }>('/undo', { json })
  const [view] = await world.held(1)
  if (view === undefined) throw new Error('nothing is held')
  expect(view).toMatchObject({ id: call, preview: { kind: 'own' } })
  await world.decide(view, { kind: 'approve' })
}

describe('undoing past calls over HTTP', () => {
  it('lists them, shows what comes back, and restores it after an approver signed', async () => {
    const { world, at, plan } = await withWrites()
    const listed = await world.json<{ calls: { call: string }[] }>('/undo')
    expect(listed.calls.map(({ call }) => call)).toEqual(['second', 'first'])
    const shown = await plan({ calls: ['first'] })
    expect(shown).toMatchObject({
      calls: ['first'],
      steps: [{ name: 'a.ts', does: 'change', since: 'same' }],
      preview: { parts: [{ kind: 'diff', path: 'a.ts', added: 1, removed: 1 }] },
    })
    await approveUndo(world, { calls: ['first'], plan: shown.plan })
    await until('the old content', () => readFileSync(at('a.ts'), 'utf8') === 'one\n' || undefined)
  })

  it('undoes everything since a call as one, or only chosen files of it', async () => {
    const { world, at, plan } = await withWrites()
    const since = await plan({ since: 'first' })
    expect(since.steps.map(({ name, does }) => [name, does])).toEqual([
      ['b.ts', 'remove'],
      ['a.ts', 'change'],
    ])
    await approveUndo(world, { calls: since.calls, plan: since.plan, only: [at('b.ts')] })
    await until('b.ts is gone', () => !existsSync(at('b.ts')) || undefined)
    expect(readFileSync(at('a.ts'), 'utf8')).toBe('two\n')
  })

  it('is stale if a file changed since the diff was shown, and needs force for later changes', async () => {
    const { world, at, plan } = await withWrites()
    const { plan: old } = await plan({ calls: ['first'] })
    writeFileSync(at('a.ts'), 'by a person\n')
    const ask = async (json: object) => (await world.fetch('/undo', { json: { calls: ['first'], ...json } })).status
    expect(await ask({ plan: old })).toBe(409)
    const now = await plan({ calls: ['first'] })
    expect(now.steps[0]?.since).toBe('changed')
    expect(await ask({ plan: now.plan })).toBe(409)
    expect(await ask({ plan: now.plan, force: true })).toBe(200)
    expect(readFileSync(at('a.ts'), 'utf8')).toBe('by a person\n')
  })

  it.each<[string, string, object, number]>([
    ['a call without a copy', '/undo/plan', { calls: ['none'] }, 400],
    ['no call', '/undo/plan', {}, 400],
    ['both calls and a start', '/undo/plan', { calls: ['first'], since: 'first' }, 400],
  ])('refuses %s', async (_, path, json, status) => {
    const { world } = await withWrites()
    expect((await world.fetch(path, { json })).status).toBe(status)
  })

  it('is refused without a sign-in (L8)', async () => {
    const { world, plan } = await withWrites()
    const json = { calls: ['first'], plan: (await plan({ calls: ['first'] })).plan }
    for (const path of ['/undo', '/undo/plan'])
      expect((await world.fetch(path, { json, headers: { cookie: '' } })).status).toBe(401)
  })
})
