import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSandbox } from '@countersign/node'
import { startCli } from '@countersign/testing/command/spawn-cli'
import { type ContainedWorld, containedWorld, describeContained } from '@countersign/testing/contain/contained'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'

const RENAMEAT2 = process.arch === 'arm64' ? 276 : 316

/** A run that exchanges a folder of the workspace and another name, again and again, until the test ends. */
async function swapping(world: ContainedWorld, folder: string, other: string): Promise<void> {
  const abort = new AbortController()
  const loop = `($x, $y) = ("${folder}", "${other}"); while (1) { syscall(${RENAMEAT2}, -100, $x, -100, $y, 2); select(undef, undef, undef, 0.003) }`
  // A name to protect, made after this run started: so it can move the folder, and the next run mounts it.
  const running = world.run(`touch ${folder}/.envrc swapping; perl -e '${loop}'`, {
    signal: abort.signal,
    timeoutMs: 60_000,
  })
  onTestFinished(async () => {
    abort.abort()
    await running
  })
  await until('the other run to start', () => existsSync(join(world.workspace, 'swapping')))
}

function victim(world: ContainedWorld, files: readonly string[]): string {
  const outside = join(world.root, 'outside')
  mkdirSync(outside)
  for (const file of files) writeFileSync(join(outside, file), 'kept')
  return outside
}

describeContained('two runs in one workspace', () => {
  it('do not make a name of one look like the person’s to the other', async () => {
    const world = containedWorld()
    const at = (name: string): string => join(world.workspace, name)
    const first = world.run('mkdir .vscode; touch made; until [ -e second ]; do sleep 0.02; done; rm -r .vscode')
    await until('the first run', () => existsSync(at('made')))
    const second = world.run(
      'touch second; until [ -e first-ended ]; do sleep 0.02; done; mkdir .vscode; echo evil > .vscode/tasks.json',
    )
    expect((await first).exitCode).toBe(0)
    writeFileSync(at('first-ended'), '')
    expect((await second).sandbox.restored).toMatchObject([{ path: at('.vscode') }])
    expect(existsSync(at('.vscode'))).toBe(false)
  })

  it('leave what the person had', async () => {
    const world = containedWorld()
    mkdirSync(join(world.workspace, '.vscode'))
    const first = world.run('touch made; until [ -e second ]; do sleep 0.02; done')
    await until('the first run', () => existsSync(join(world.workspace, 'made')))
    expect((await world.run('touch second')).exitCode).toBe(0)
    expect((await first).exitCode).toBe(0)
    expect(existsSync(join(world.workspace, '.vscode'))).toBe(true)
  })

  it('do not open a folder outside by exchanging folders and links while one starts', async () => {
    const world = containedWorld()
    const outside = victim(world, ['.envrc'])
    mkdirSync(join(world.workspace, 'folder'))
    symlinkSync(outside, join(world.workspace, 'link'))
    await swapping(world, 'folder', 'link')
    let count = 0
    for (let turn = 0; turn < 60; turn += 1) {
      const ended = await world.run('for i in 1 2 3; do echo evil > folder/evil; echo evil > link/evil; done; true')
      if (ended.how === 'exited') count += 1
      expect(readdirSync(outside)).toEqual(['.envrc'])
    }
    expect(count).toBeGreaterThan(0)
  })
})

describeContained('a run whose gate was killed', () => {
  async function killed(): Promise<ContainedWorld> {
    const world = containedWorld()
    const flags = ['--home', world.gate, 'contain', '--workspace', world.workspace]
    const command = 'mkdir -p .vscode a/b; echo evil > .vscode/tasks.json; touch a/b/.envrc; touch made; sleep 600'
    const gate = startCli([...flags, '--', command], world.workspace)
    await until('the run', () => existsSync(join(world.workspace, 'made')))
    gate.kill('SIGKILL')
    await until('its end', () => gate.exitCode !== null || gate.signalCode !== null)
    return world
  }

  describe.each([
    ['the next command starts', (world: ContainedWorld) => world.run('true')],
    ['the gate opens', (world: ContainedWorld) => openSandbox(world.places)],
  ])('when %s', (_, next) => {
    it('is cleaned up after', async () => {
      const world = await killed()
      expect(existsSync(join(world.workspace, '.vscode'))).toBe(true)
      await next(world)
      expect(existsSync(join(world.workspace, '.vscode'))).toBe(false)
      expect(readdirSync(join(world.workspace, 'a/b'))).toEqual([])
      expect(readdirSync(join(world.gate, 'contained/runs'))).toEqual([])
    })
  })
})
