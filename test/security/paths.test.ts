import { closeSync, mkdirSync, openSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Call } from '@countersign/core'
import { openWorld, type World } from '@countersign/testing/gate/world'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { corpus } from './corpus.ts'
import { fate, shell } from './fate.ts'

/** The loosest possible user policy, under every preset. */
const POLICIES: { readonly [name: string]: string } = {
  'classic with everything approved': 'version: 1\npreset: classic\nauto_approve: ["*"]\n',
  'permissive with everything approved up to critical':
    'version: 1\npreset: permissive\nrules:\n  - { id: all, tool: "*", supervision: automatic, up_to: critical, contain: false }\n  - { id: kinds, kind: [write, delete, move, execute, read], supervision: automatic, up_to: critical, contain: false }\n',
}
const MORE: { readonly [name: string]: string } = {
  balanced: 'version: 1\npreset: balanced\n',
  paranoid: 'version: 1\npreset: paranoid\n',
  'read-only': 'version: 1\npreset: read-only\n',
}

let world: World
let descriptor: number

async function open(policy: string): Promise<void> {
  world = await openWorld({ policy })
  symlinkSync(world.home.dir, join(world.workspace, 'link'))
  mkdirSync(join(world.workspace, 'deep'))
  symlinkSync('../../home', join(world.workspace, 'deep', 'link2'))
  symlinkSync(join(world.home.dir, 'policy.d', 'new.yaml'), join(world.workspace, 'dangling'))
  mkdirSync(join(world.workspace, 'sub'))
  descriptor = openSync(world.home.dir, 'r')
}

async function close(): Promise<void> {
  closeSync(descriptor)
  await world.close()
}

/** A case with the paths of this world filled in. */
function placed(text: string): string {
  const { dir, policy } = world.home
  return text
    .replaceAll('$PID', String(process.pid))
    .replaceAll('$FD', String(descriptor))
    .replaceAll('$P', policy)
    .replaceAll('$G', dir)
}

const EDITS: readonly ((path: string) => Call)[] = [
  (path) => ({ tool: 'write_file', args: { path, content: 'version: 1\npreset: classic\n' } }),
  (path) => ({ tool: 'edit_file', args: { file_path: path, old_string: 'a', new_string: 'b' } }),
  (path) => ({ tool: 'delete_file', args: { path } }),
  (path) => ({ tool: 'move_file', args: { source: 'evil', destination: path } }),
  (path) => ({ tool: 'move_file', args: { source: path, destination: 'evil' } }),
  (path) => ({ tool: 'create_directory', args: { path } }),
  (path) => ({ tool: 'my_own_tool', args: {}, description: { kind: 'write', paths: [path] } }),
]

for (const [name, policy] of Object.entries(POLICIES)) {
  describe(`A27 A3: the gate’s own files, under ${name}`, () => {
    beforeAll(() => open(policy))
    afterAll(close)

    it('as a control, everything else runs', async () => {
      expect(await world.gate.policyProblems()).toEqual([])
      for (const call of [
        shell('rm -rf sub'),
        shell('echo x > a'),
        { tool: 'write_file', args: { path: 'a', content: '' } },
      ])
        expect(await fate(world, call)).toBe('ran')
    })

    it('cannot be written by a tool with any spelling of the path', async () => {
      const open: string[] = []
      for (const { source, text } of corpus('paths')) {
        for (const edit of EDITS) {
          const call = edit(placed(text))
          const ended = await fate(world, call)
          if (ended !== 'denied') open.push(`${source}: ${ended}: ${JSON.stringify(call.args)}`)
        }
      }
      expect(open).toEqual([])
    }, 60_000)

    it('cannot be written by a shell with any spelling of the path', async () => {
      const open: string[] = []
      for (const { source, text } of corpus('paths')) {
        const path = placed(text)
        if (/[ \u200b]/.test(path)) continue // quoting is tested elsewhere
        for (const command of [`echo x > ${path}`, `cp evil ${path}`]) {
          const ended = await fate(world, shell(command))
          if (ended !== 'denied') open.push(`${source}: ${ended}: ${command}`)
        }
      }
      expect(open).toEqual([])
    }, 60_000)

    it('cannot be written, moved, linked or read by any command of the corpus', async () => {
      const open: string[] = []
      for (const { source, text } of corpus('gate-writes')) {
        const ended = await fate(world, shell(placed(text)))
        if (ended !== 'denied') open.push(`${source}: ${ended}: ${text}`)
      }
      expect(open).toEqual([])
    }, 60_000)

    it('are not reached without asking through programs that use them by default', async () => {
      const ran: string[] = []
      for (const { source, text } of corpus('gate-writes-indirect')) {
        if ((await fate(world, shell(placed(text)))) === 'ran') ran.push(`${source}: ${text}`)
      }
      expect(ran).toEqual([])
    }, 60_000)
  })
}

describe('A27 A3: the gate’s own files, under every other preset', () => {
  afterEach(close)
  it.each(Object.entries(MORE))(
    '%s',
    async (_, policy) => {
      await open(policy)
      const open_: string[] = []
      for (const { text } of corpus('gate-writes').filter((_, at) => at % 3 === 0)) {
        if ((await fate(world, shell(placed(text)))) !== 'denied') open_.push(text)
      }
      for (const { text } of corpus('paths').filter((_, at) => at % 3 === 0)) {
        const path = placed(text)
        if ((await fate(world, { tool: 'write_file', args: { path, content: 'x' } })) !== 'denied') open_.push(path)
      }
      expect(open_).toEqual([])
    },
    60_000,
  )
})

describe('A27: similar paths', () => {
  it('a sibling with a longer name, and a path with a NUL', async () => {
    await open('version: 1\npreset: classic\n')
    for (const path of [
      `${world.home.dir}-other/policy.yaml`,
      `${world.home.dir}.bak`,
      join(world.workspace, 'home', 'policy.yaml'),
    ]) {
      expect(await fate(world, { tool: 'write_file', args: { path, content: 'x' } }), path).toBe('ran')
    }
    for (const path of ['a\0b', `${world.home.dir}\0/../x`, `x\0${world.home.policy}`]) {
      expect(['denied', 'refused', 'held'], JSON.stringify(path)).toContain(
        await fate(world, { tool: 'write_file', args: { path, content: 'x' } }),
      )
    }
    await close()
  })

  it('a link that this account cannot read counts as unknown', async () => {
    await open('version: 1\npreset: permissive\ntools: { write_file: automatic }\n')
    expect(
      await fate(world, { tool: 'write_file', args: { path: `/proc/1/root${world.home.policy}`, content: 'x' } }),
    ).not.toBe('ran')
    await close()
  })
})
