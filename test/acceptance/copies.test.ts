import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openView } from '@countersign/core'
import { applyUndo, planUndo } from '@countersign/node'
import { onlyHeld, openWorld } from '@countersign/testing/gate/world'
import { describe, expect, it } from 'vitest'

const CHANGES = [
  ['write_file', 'a.txt', (path: string) => writeFileSync(path, 'new')],
  ['write_file', '.env', (path: string) => writeFileSync(path, 'new')],
  ['edit_file', 'a.txt', (path: string) => writeFileSync(path, 'new')],
  ['delete_file', '.env', (path: string) => rmSync(path)],
  ['move_file', 'a.txt', (path: string) => renameSync(path, `${path}.moved`)],
] as const

const ARGS = (tool: string, path: string) =>
  tool === 'move_file'
    ? { source: path, destination: `${path}.moved` }
    : { path, content: 'new', old_string: 'old', new_string: 'new' }

const SCRIPTS = {
  'x.py': 'import os\nopen("keep.txt", "w").write("x")\nos.remove("docs/a.md")\n',
  'x.sh': 'echo x > keep.txt\nrm docs/a.md\n',
  'y.sh': 'rm docs/*.md\n',
  'build.sh': 'rm -rf dist\n',
}

/** What a script of the project is known to change can be undone too. */
describe('a command that runs a script of the project', () => {
  async function place() {
    const world = await openWorld()
    for (const [name, text] of Object.entries(SCRIPTS)) world.file(name, text)
    mkdirSync(join(world.workspace, 'docs'))
    world.file('docs/a.md', 'old text')
    world.file('keep.txt', 'kept')
    const ask = (command: string, outside: boolean) =>
      world.gate.run(
        { tool: 'execute_command', source: 'builtin', args: { command }, containable: true, outside },
        () => {
          world.file('keep.txt', 'x')
          rmSync(join(world.workspace, 'docs/a.md'))
        },
      )
    return { world, ask }
  }

  it.each([
    ['python3 x.py', true],
    ['python3 x.py', false],
    ['sh x.sh', true],
    ['sh x.sh', false],
  ])('keeps a copy of what is known to change: `%s`, outside the sandbox: %s', async (command, outside) => {
    const { world, ask } = await place()
    try {
      const running = ask(command, outside)
      if (outside) {
        const view = await onlyHeld(world)
        expect(view.findings).toMatchObject([{ checker: 'backup', status: 'pass' }])
        await world.decide(view, { kind: 'approve' })
      }
      expect(await running).toMatchObject({ kind: 'completed' })
      const entry = (await world.entries()).find(({ kind }) => kind === 'backup')
      const ref = { name: String(entry?.['name']), manifest: String(entry?.['manifest']) }
      await applyUndo(world.home, ref, await planUndo(world.home, ref))
      const texts = ['docs/a.md', 'keep.txt'].map((name) => readFileSync(join(world.workspace, name), 'utf8'))
      expect(texts).toEqual(['old text', 'kept'])
    } finally {
      await world.close()
    }
  })

  it('says on its card that there is no undo if it is unknown which files it changes', async () => {
    const { world, ask } = await place()
    try {
      const running = ask('sh y.sh', true)
      const view = await onlyHeld(world)
      expect(view.findings).toMatchObject([
        { checker: 'backup', status: 'warn', message: 'no undo: it is unknown which files `docs/*.md` means' },
      ])
      await world.decide(view, { kind: 'reject' })
      await running
    } finally {
      await world.close()
    }
  })

  it('is no reason for a notice if it only changes what a build makes again', async () => {
    const { world } = await place()
    try {
      mkdirSync(join(world.workspace, 'dist'))
      world.file('dist/a.js', 'made')
      const args = { command: 'sh build.sh' }
      const call = { tool: 'execute_command', source: 'builtin', args, containable: true } as const
      expect(await world.gate.run(call, () => 'ran')).toMatchObject({ kind: 'completed' })
      expect((await world.entries()).map(({ kind }) => kind)).toEqual(
        expect.not.arrayContaining(['backup', 'notice', 'held']),
      )
      expect((await world.entries()).find(({ kind }) => kind === 'judged')).toMatchObject({ findings: [] })
    } finally {
      await world.close()
    }
  })
})

/** Everything that a tool changes can be undone, also where a person approved it and by a rule without `checks`. */
describe.each([
  ['balanced', ''],
  ['paranoid', ''],
  ['permissive', ''],
  ['balanced', 'rules:\n  - { id: all, tool: "*", supervision: confirm }\n'],
])('under %s %s', (preset, rules) => {
  // The preset `paranoid` denies changes of `.env`.
  const changes = CHANGES.filter(([, name]) => preset !== 'paranoid' || name !== '.env')
  it.each(changes)('%s of `%s` keeps a private copy that brings it back', async (tool, name, change) => {
    const world = await openWorld({ policy: `version: 1\npreset: ${preset}\n${rules}` })
    try {
      const path = world.file(name, 'old text')
      const running = world.gate.run({ tool, source: 'builtin', args: ARGS(tool, path) }, () => change(path))
      const [held] = await world.held()
      if (held !== undefined) {
        const view = await onlyHeld(world)
        const manual = view.verdict.supervision === 'manual'
        const { code } = openView(view, world.ports.crypto)
        await world.decide(view, { kind: 'approve', ...(manual ? { code, reason: 'tried' } : {}) })
      }
      expect(await running).toMatchObject({ kind: 'completed' })
      const entry = (await world.entries()).find(({ kind }) => kind === 'backup')
      const ref = { name: String(entry?.['name']), manifest: String(entry?.['manifest']) }
      expect(statSync(join(world.home.backups, ref.name, '0')).mode & 0o777).toBe(0o600)
      await applyUndo(world.home, ref, await planUndo(world.home, ref))
      expect(readFileSync(path, 'utf8')).toBe('old text')
    } finally {
      await world.close()
    }
  })
})
