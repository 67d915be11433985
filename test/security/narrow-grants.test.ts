import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Call, GrantOffer } from '@countersign/core'
import { onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { afterEach, describe, expect, it } from 'vitest'
import { fate, shell } from './fate.ts'

let world: World
afterEach(() => world.close())

const ASK = 'version: 1\nrules:\n  - { id: ask, tool: "*", supervision: confirm }\n'

/** Approves a call with the offered grant of this kind, for the session. */
async function grant(call: Call, kind: GrantOffer['scope']['kind']): Promise<GrantOffer> {
  const result = world.gate.run(call, () => 'ran')
  const view = await onlyHeld(world)
  const offer = view.offers.find(({ scope }) => scope.kind === kind)
  const lifetime = offer?.lifetimes.at(-1)
  if (offer === undefined || lifetime === undefined) throw new Error(`no ${kind} grant is offered`)
  await world.decide(view, { kind: 'approve', grant: { scope: offer.scope, lifetime } })
  expect(await result).toMatchObject({ kind: 'completed' })
  return offer
}

async function offered(call: Call): Promise<readonly string[]> {
  const leaving = new AbortController()
  const asked = world.gate.ask(call, leaving.signal)
  const kinds = (await onlyHeld(world)).offers.map(({ scope }) => scope.kind)
  leaving.abort()
  await asked
  return kinds
}

const write = (path: string, tool = 'write_file'): Call => ({ tool, args: { path, content: 'new' } })
const comment = (args: object, more: object = {}): Call => ({
  tool: { name: 'add_comment', server: 'tracker', definition: { v: 1 }, ...more },
  args,
  source: 'mcp',
})
const SHOWN = { repo: 'app', issue: 12, body: 'works for me' }

describe('A11: a grant between one call and a whole tool covers what its card showed', () => {
  it('a file: the same tool on the same file, wherever its path is spelled from', async () => {
    world = await openWorld({ policy: ASK })
    const { workspace } = world
    const { words } = await grant(write('src/a.ts'), 'file')
    expect(words).toBe(`\`write_file\` on \`${workspace}/src/a.ts\``)
    expect(await fate(world, write(`${workspace}/src/../src/a.ts`))).toBe('ran')
    for (const other of ['src/b.ts', 'a.ts', 'src/a.ts.bak', '../src/a.ts', 'src'])
      expect(await fate(world, write(other)), other).toBe('held')
    expect(await fate(world, { tool: 'delete_file', args: { path: 'src/a.ts' } })).toBe('held')
  })

  it('a folder: files inside it, and nothing that only looks inside', async () => {
    world = await openWorld({ policy: ASK })
    const { workspace } = world
    mkdirSync(join(workspace, 'src', 'deep'), { recursive: true })
    symlinkSync('/etc', join(workspace, 'src', 'link'))
    await grant(write('src/a.ts'), 'folder')
    for (const inside of ['src/b.ts', 'src/deep/c.ts']) expect(await fate(world, write(inside)), inside).toBe('ran')
    const outside = ['src', 'src/../b.ts', 'src-2/a.ts', 'src/link/hosts']
    const sensitive = ['src/.env', 'src/deep/prod.env', 'src/id_rsa', 'src/.vscode/tasks.json', 'src/AGENTS.md']
    for (const other of [...outside, ...sensitive]) expect(await fate(world, write(other)), other).toBe('held')
  })

  it('fixed fields: only the text that was left open may differ', async () => {
    world = await openWorld({ policy: ASK })
    const { words } = await grant(comment(SHOWN), 'fields')
    expect(words).toBe('`tracker/add_comment` with `repo` `app`, `issue` `12`, and any `body`')
    expect(await fate(world, comment({ ...SHOWN, body: 'and for me as well' }))).toBe('ran')
    expect(await fate(world, comment({ repo: 'app', issue: 12 }))).toBe('ran')
    const others: readonly object[] = [
      { ...SHOWN, issue: 13 },
      { ...SHOWN, issue: '12' },
      { ...SHOWN, repo: 'App' },
      { ...SHOWN, force: true },
      { ...SHOWN, body: { text: 'x' } },
      { ...SHOWN, body: ['a b'] },
      { issue: 12, body: 'works for me' },
    ]
    for (const args of others) expect(await fate(world, comment(args)), JSON.stringify(args)).toBe('held')
    expect(await fate(world, comment(SHOWN, { definition: { v: 2 } }))).toBe('held')
    expect(await fate(world, comment(SHOWN, { server: 'mail' }))).toBe('held')
    expect(await fate(world, comment(SHOWN, { name: 'delete_comment' }))).toBe('held')
  })

  it('is not offered for a shell, for a secret among its fixed fields, or where nothing is left open', async () => {
    world = await openWorld({ policy: ASK })
    for (const command of ['rm -rf build dist', 'echo a b > src/x'])
      expect(await offered({ tool: 'execute_command', args: { command } })).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(?:fields|file|folder|tool)$/)]),
      )
    const key = `ghp_${'a1B2'.repeat(9)}`
    expect(await offered(comment({ ...SHOWN, token: key }))).not.toContain('fields')
    expect(await offered(comment({ repo: 'app', issue: 12 }))).not.toContain('fields')
  })

  it('offers a rule only where the policy language can say it without a wildcard', async () => {
    world = await openWorld({ policy: ASK })
    const rules = async (call: Call) => {
      const leaving = new AbortController()
      const asked = world.gate.ask(call, leaving.signal)
      const found = (await onlyHeld(world)).offers.flatMap(({ always }) => always?.conditions ?? [])
      leaving.abort()
      await asked
      return found
    }
    const { workspace } = world
    const folder = { inside: `${workspace}/src`, except: ['${protected}', '**/.env*', '**/*.env'] }
    expect(await rules(write('src/a.ts'))).toEqual([
      { tool: 'write_file', path: `${workspace}/src/a.ts` },
      { tool: 'write_file', path: folder },
      { tool: 'write_file' },
    ])
    expect(await rules(write('src/[a]*.ts'))).toEqual([{ tool: 'write_file', path: folder }, { tool: 'write_file' }])
    expect(await rules(comment(SHOWN, { name: 'add_*' }))).toEqual([])
    expect(await rules(comment(SHOWN))).toEqual([
      { tool: 'tracker/add_comment', args: { repo: 'app', issue: 12 } },
      { tool: 'tracker/add_comment' },
    ])
    expect(await rules(shell('git add a.txt'))).toEqual([
      { tool: 'execute_command', command: { program: 'git', verb: 'add', like: 'git add', in: workspace } },
    ])
    // Its remote is not known, so no repeat of it would work in the sandbox.
    expect(await rules(shell('git push origin main'))).toEqual([])
    expect(await rules(shell('rm -rf build'))).toEqual([])
  })
})
