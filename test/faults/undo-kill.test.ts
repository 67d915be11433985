import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { applyUndo, openHome, planUndo } from '@countersign/node'
import { runNode } from '@countersign/testing/command/run-node'
import { openWorld, type World } from '@countersign/testing/gate/world'
import { expect, it } from 'vitest'

const POLICY =
  'version: 1\npreset: classic\nrules:\n  - { id: free, tool: ["*_file"], supervision: automatic, checks: [backup] }\n'

/** Applies an undo in a process of its own, which is killed before its n-th change of a file or folder. */
const DYING = `
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { applyUndo, openHome, planUndo } from '@countersign/node'
const [homeDir, refs, n] = process.argv.slice(1)
const home = openHome(homeDir)
const plan = await planUndo(home, JSON.parse(refs))
let left = Number(n)
for (const name of ['renameSync', 'unlinkSync', 'rmdirSync', 'mkdirSync', 'symlinkSync', 'writeSync', 'fchmodSync', 'chmodSync', 'utimesSync']) {
  const real = fs[name]
  fs[name] = (...args) => {
    left -= 1
    if (left === 0) {
      process.kill(process.pid, 'SIGKILL')
      for (;;);
    }
    return real(...args)
  }
}
syncBuiltinESMExports()
await applyUndo(home, JSON.parse(refs), plan)
process.stdout.write('finished')
`

/** Three calls: a folder deleted, a file changed, a file made. */
async function threeCalls(world: World) {
  mkdirSync(join(world.workspace, 'lib/deep'), { recursive: true, mode: 0o750 })
  const [deep, changed] = [world.file('lib/deep/x', 'deep'), world.file('a', 'old')]
  const made = join(world.workspace, 'made')
  const run = (id: string, tool: string, args: object, change: () => void) => world.gate.run({ id, tool, args }, change)
  const folder = join(world.workspace, 'lib')
  await run('one', 'delete_file', { path: folder }, () => rmSync(folder, { recursive: true }))
  await run('two', 'write_file', { path: changed, content: 'new' }, () => writeFileSync(changed, 'new'))
  await run('three', 'write_file', { path: made, content: 'made' }, () => writeFileSync(made, 'made'))
  const entries = (await world.entries()).filter(({ kind }) => kind === 'backup')
  const refs = entries.map((entry) => ({ name: String(entry['name']), manifest: String(entry['manifest']) }))
  return { deep, changed, made, refs }
}

async function killAt(n: number): Promise<'finished' | 'killed'> {
  const world = await openWorld({ policy: POLICY })
  try {
    const { deep, changed, made, refs } = await threeCalls(world)
    expect(refs).toHaveLength(3)
    const ended = await runNode(DYING, [world.home.dir, JSON.stringify(refs), String(n)]).catch(
      ({ signal, stderr }) => `${signal} ${stderr}`,
    )
    expect(['finished', 'SIGKILL '], `the child itself failed: ${ended}`).toContain(ended)
    const home = openHome(world.home.dir)
    const plan = await planUndo(home, refs)
    const at = `killed before change ${n}`
    expect(
      plan.steps.filter(({ since }) => since !== 'same'),
      `${at}: undoing again needs no --force`,
    ).toEqual([])
    await applyUndo(home, refs, plan)
    expect([readFileSync(deep, 'utf8'), readFileSync(changed, 'utf8'), existsSync(made)], at).toEqual([
      'deep',
      'old',
      false,
    ])
    const left = readdirSync(world.workspace, { recursive: true, encoding: 'utf8' })
    expect(
      left.filter((name) => name.includes('.countersign-undo')),
      `${at}: nothing is left behind`,
    ).toEqual([])
    return ended === 'finished' ? 'finished' : 'killed'
  } finally {
    await world.close()
  }
}

it('an undo of several calls that is killed at any change is completed by undoing again', async () => {
  let n = 1
  for (let ended = 'killed'; ended === 'killed'; n += 2) {
    const both = await Promise.all([killAt(n), killAt(n + 1)])
    ended = both.includes('finished') ? 'finished' : 'killed'
    expect(n).toBeLessThan(60)
  }
  expect(n).toBeGreaterThan(8)
}, 300_000)
