import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ports } from '@countersign/core'
import { bundledChild } from '@countersign/testing/faults/bundled-child'
import { expectVerified, homeOn, openMachine, stepsOf } from '@countersign/testing/postgres/machine'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { random } from '@countersign/testing/seeded-random'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'

const isFull = process.env['COUNTERSIGN_FULL'] !== undefined
/** Processes at a time, each with lanes that ask side by side: 20 askers, or 200. */
const [ASKERS, LANES] = isFull ? [40, 5] : [4, 5]
/** So many processes die, and the server so often. */
const [DEATHS, CRASHES] = isFull ? [200, 10] : [12, 2]
/** A call has some seven moments at which its process may die. */
const MOMENTS = 70

/** A gate that is opened when all processes are gone. */
const alone = (ports: Ports): Ports => ({ ...ports, owners: { self: '7.7.77', isAlive: () => false } })

describe.skipIf(missingPostgres())('L1 L7 A30: kill -9 of askers and of the server at random moments', () => {
  const server = usePostgres({ safe: true })
  const child = bundledChild('asker-child')

  const seed = Number(process.env['COUNTERSIGN_SEED'] ?? Math.floor(Math.random() * 1_000_000))
  it(`runs nothing unasked or twice, loses no decision, and the journal verifies: ${ASKERS * LANES} askers, seed ${seed}`, async () => {
    const luck = random(seed)
    const home = await homeOn(server.freshAddress())
    const person = await openMachine(home)
    const [decided, approved, rejected] = [new Set<string>(), new Set<string>(), new Set<string>()]
    let deaths = 0
    let isOver = false
    onTestFinished(() => {
      isOver = true
    })

    async function asker(of: number): Promise<void> {
      for (let life = 0; deaths < DEATHS; life += 1) {
        const args = [child, home.dir, `${of}.${life}`, String(LANES), String(1 + luck.below(MOMENTS))]
        const running = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
        const said: string[] = []
        running.stderr.on('data', (text) => said.push(String(text)))
        onTestFinished(() => void running.kill('SIGKILL'))
        const [, signal] = await once(running, 'close')
        if (signal === 'SIGKILL') deaths += 1
        // It may have been started while the server was down, and is then refused in one line.
        else expect(said.join('')).toMatch(/code: 'CS_STORE_/)
      }
    }

    async function decideAll(): Promise<void> {
      while (!isOver) {
        const views = await person.desk.list().catch(() => [])
        for (const view of views) {
          const kind = luck.chance(0.8) ? 'approve' : 'reject'
          if (kind === 'approve') approved.add(view.id)
          const receipt = await person.decide(view, { kind }).catch(() => undefined)
          if (receipt?.accepted === true) decided.add(view.id)
          if (receipt?.accepted === true && kind === 'reject') rejected.add(view.id)
        }
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }

    async function crashServer(): Promise<void> {
      for (let crash = 1; crash <= CRASHES; crash += 1) {
        await until('deaths', () => deaths >= (DEATHS * crash) / (CRASHES + 1), { withinMs: 600_000 })
        await server.crash()
      }
    }

    const deciding = decideAll()
    await Promise.all([crashServer(), ...Array.from({ length: ASKERS }, (_, of) => asker(of))])
    isOver = true
    await deciding

    const later = await openMachine(home, alone)
    const { store } = later.ports
    const path = join(home.dir, '../marks')
    const marks = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
    expect(marks.length).toBeGreaterThan(DEATHS)
    expect(new Set(marks).size, 'nothing runs twice').toBe(marks.length)
    for (const id of marks) {
      if (!id.startsWith('free')) expect(approved, 'nothing runs unasked').toContain(id)
      expect(rejected, 'what was rejected does not run').not.toContain(id)
      const steps = await stepsOf(later.ports, id)
      expect(
        steps.filter((step) => step === 'started'),
        `the intent of ${id}`,
      ).toHaveLength(1)
      const row = await store.call(id)
      expect([id, row?.outcome]).toEqual([id, steps.includes('completed') ? 'completed' : 'unknown'])
    }
    for (const id of decided) expect(await stepsOf(later.ports, id), 'no decision is lost').toContain('decided')
    expect(await store.calls({ state: 'started' })).toEqual([])
    expect((await later.desk.list()).filter(({ id }) => !id.startsWith('submitted'))).toEqual([])
    await expectVerified(later.ports)
  }, 1_200_000)
})
