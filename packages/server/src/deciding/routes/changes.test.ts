import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openServiceWorld, type ServiceWorld } from '@countersign/testing/gate/service'
import { until } from '@countersign/testing/until'
import { describe, expect, it } from 'vitest'

interface Listed {
  readonly workspaces: readonly { readonly files: readonly { readonly path: string; readonly content: string }[] }[]
}

async function listed(world: ServiceWorld): Promise<Listed['workspaces'][number]['files']> {
  return (await world.json<Listed>('/changes')).workspaces[0]?.files ?? []
}

/** An agent overwrites `a.ts` with nobody asked. */
async function withChange(): Promise<{
  readonly world: ServiceWorld
  readonly path: string
  readonly content: string
}> {
  const world = await openServiceWorld({ policy: 'version: 1\npreset: balanced\n' })
  const path = join(world.workspace, 'a.ts')
  writeFileSync(path, 'one\n')
  const gate = await world.connect()
  const args = { path: 'a.ts', content: 'two\n' }
  const permit = await gate.ask({ tool: 'write_file', source: 'builtin', args, cwd: world.workspace })
  if (permit.kind === 'refusal') throw new Error(permit.message)
  writeFileSync(path, 'two\n')
  await gate.settle(permit, 'completed')
  gate.close()
  const [file] = await listed(world)
  if (file === undefined) throw new Error('no change was recorded')
  return { world, path, content: file.content }
}

describe('an undo that the inbox asks for', () => {
  it('is held until an approver signs for it, then restores what was seen last', async () => {
    const { world, path, content } = await withChange()
    const json = { workspace: world.workspace, path: 'a.ts', content }
    const { call } = await world.json<{ call: string }>('/changes/undo', { json })
    const [view] = await world.held(1)
    expect(view).toMatchObject({ id: call })
    expect(readFileSync(path, 'utf8')).toBe('two\n')
    if (view === undefined) throw new Error('nothing is held')
    await world.decide(view, { kind: 'approve' })
    await until('the old content', () => readFileSync(path, 'utf8') === 'one\n' || undefined)
    await until('its record', async () => (await listed(world)).length === 0 || undefined)
  })

  it.each<[string, object, number]>([
    ['content that is no longer there', { content: 'f'.repeat(64) }, 409],
    ['a file without a change', { path: 'b.ts' }, 409],
    ['a workspace that no gated call changed', { workspace: '/etc' }, 400],
  ])('is refused for %s', async (_, other, status) => {
    const { world, path, content } = await withChange()
    const json = { workspace: world.workspace, path: 'a.ts', content, ...other }
    expect((await world.fetch('/changes/undo', { json })).status).toBe(status)
    expect(readFileSync(path, 'utf8')).toBe('two\n')
  })

  it('is refused without a sign-in (L8)', async () => {
    const { world, content } = await withChange()
    const json = { workspace: world.workspace, path: 'a.ts', content }
    expect((await world.fetch('/changes/undo', { json, headers: { cookie: '' } })).status).toBe(401)
  })
})
