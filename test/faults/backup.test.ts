import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { applyUndo, planUndo } from '@countersign/node'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { runNode } from '@countersign/testing/command/run-node'
import { type BrokenLife, breakEach } from '@countersign/testing/faults/fault-run'
import { onlyHeld, openWorld } from '@countersign/testing/gate/world'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

const POLICY = `
version: 1
defaults: { timeout: 1m }
rules:
  - { id: free, tool: write_file, supervision: automatic, checks: [backup] }
  - { id: asked, tool: edit_file, supervision: confirm, checks: [backup] }
`

/**
 * One write with a backup. After any fault, a changed file has a backup that was journaled before the start, and a
 * refused call changed nothing.
 */
async function write({ world, why, whole }: BrokenLife, tool: string) {
  const path = world.file('a.txt', 'old')
  const ended = await whole(() =>
    world.gate.run({ tool, args: { path, content: 'new' } }, () => writeFileSync(path, 'new')),
  )
  const changed = readFileSync(path, 'utf8') === 'new'
  if (ended.kind === 'refusal') expect(changed, why).toBe(false)
  if (ended.kind === 'completed') expect(changed, why).toBe(true)
  if (changed) {
    const entries = await world.entries()
    const kinds = entries.map(({ kind }) => kind)
    expect(kinds.indexOf('backup'), why).toBeGreaterThan(-1)
    expect(kinds.indexOf('backup'), why).toBeLessThan(kinds.indexOf('started'))
    const entry = entries.find(({ kind }) => kind === 'backup')
    const ref = { name: String(entry?.['name']), manifest: String(entry?.['manifest']) }
    await applyUndo(world.home, ref, await planUndo(world.home, ref))
    expect(readFileSync(path, 'utf8'), why).toBe('old')
  }
  return ended
}

describe('a fault at the n-th port call of a write with a backup', () => {
  for (const tool of ['write_file', 'edit_file'] as const)
    for (const fault of ['throw', 'throw-after', 'hang', 'late', 'duplicate'] as const)
      it(`${fault} at every port call of ${tool}: no change without a backup`, async () => {
        expect(await breakEach(fault, POLICY, (life) => write(life, tool))).toBeGreaterThan(4)
      }, 120_000)
})

/** Writes half of a file under the gate, then dies. */
const DYING = `
import { writeFileSync } from 'node:fs'
import { openGate } from '@countersign/node'
const [root] = process.argv.slice(1)
const { gate } = await openGate({ home: root + '/home', workspace: root + '/project' })
const path = root + '/project/a.txt'
await gate.run({ id: 'cut-short', tool: 'write_file', args: { path, content: 'half' } }, () => {
  writeFileSync(path, 'ha')
  process.kill(process.pid, 'SIGKILL')
  for (;;);
})`

it('undoes the change of a process that died, but only with --force', async () => {
  const root = temporaryFolder()
  const at = { cwd: join(root, 'project'), home: join(root, 'home') }
  mkdirSync(at.cwd)
  mkdirSync(at.home, { mode: 0o700 })
  writeFileSync(join(at.home, 'policy.yaml'), `${POLICY}preset: classic\n`, { mode: 0o600 })
  const file = join(at.cwd, 'a.txt')
  writeFileSync(file, 'old')
  await expect(runNode(DYING, [root])).rejects.toMatchObject({ signal: 'SIGKILL' })
  expect(readFileSync(file, 'utf8')).toBe('ha')
  const refused = await runInProcess(['undo', 'cut-short'], at)
  expect(refused.stderr).toContain('may have changed after the call')
  expect(readFileSync(file, 'utf8')).toBe('ha')
  expect((await runInProcess(['undo', '--force', 'cut-short'], at)).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe('old')
})

it.each(['write_file', 'edit_file'])(
  'a target that changes during its backup makes the call stale: %s does not run',
  async (tool) => {
    let meanwhile = () => {}
    const world = await openWorld({
      policy: POLICY,
      wrapPorts: (ports) => ({
        ...ports,
        backups: { ...ports.backups, keep: (...given) => ports.backups.keep(...given).finally(() => meanwhile()) },
      }),
    })
    try {
      const path = world.file('a.txt', 'old')
      const other = world.file('b.txt', 'old')
      meanwhile = () => {
        renameSync(path, `${path}.moved`)
        symlinkSync(other, path)
      }
      const result = world.gate.run({ tool, args: { path, content: 'new' } }, () => writeFileSync(path, 'new'))
      if (tool === 'edit_file') await world.decide(await onlyHeld(world), { kind: 'approve' })
      expect(await result).toMatchObject({ kind: 'refusal', outcome: 'stale' })
      expect(readFileSync(other, 'utf8')).toBe('old')
    } finally {
      await world.close()
    }
  },
)
