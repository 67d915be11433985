import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
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
