import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Ended, endOf } from '@countersign/testing/command/spawn-cli'
import { until } from '@countersign/testing/until'
import { expect, it, onTestFinished } from 'vitest'
import { type OpenDesk, openDesk } from './open-desk.ts'

/** More moments than a process has. */
const MOST_MOMENTS = 60
const PATIENCE_MS = 30 * 60_000

/**
 * Kills a durable agent at every moment of its process, and lets another process go on. `child` calls `runChild` with an agent that
 * calls `send`, which a person must approve, and `look`, which needs nobody.
 */
export function killAtEveryMoment(sdk: string, child: string): void {
  it(`${sdk} sends nothing unasked and nothing twice, wherever it is killed`, { timeout: PATIENCE_MS }, async () => {
    const sentAfter: number[] = []
    for (let nth = 1; ; nth += 1) {
      expect(nth).toBeLessThan(MOST_MOMENTS)
      const desk = await openDesk('none')
      const { signal } = await run(child, desk, nth)
      const hadPaused = existsSync(join(desk.root, 'saved'))
      const before = sent(desk)
      const next = await run(child, desk, 0)
      const after = sent(desk)
      expect({ nth, told: next.stdout, after: after.length }).toEqual({
        nth,
        told: 'done',
        after: expect.toBeOneOf([0, 1]),
      })
      if (!hadPaused) expect({ nth, before, after }).toEqual({ nth, before: [], after: ['send ana'] })
      sentAfter.push(after.length)
      if (signal === null) break // it lived through fewer moments than this
    }
    // Killed between the start and the effect it is never sent: nobody can know that it was not.
    expect(sentAfter).toContain(0)
    expect(sentAfter.length).toBeGreaterThan(15)
  })
}

/** Runs one process. A person approves what it asks, before which nothing may have been sent. */
async function run(child: string, desk: OpenDesk, nth: number): Promise<Ended & { readonly signal: string | null }> {
  const flags = ['--conditions=countersign-source', '--no-warnings']
  const started = spawn(process.execPath, [...flags, child, desk.root, String(nth)])
  onTestFinished(() => void started.kill())
  let ended: Ended | undefined
  const ending = endOf(started).then((end) => {
    ended = end
  })
  await until(
    `the end of the process that dies at moment ${nth}`,
    async () => {
      if ((await desk.heldNow()) > 0) {
        expect(sent(desk), `asked at moment ${nth}`).toEqual([])
        await desk.decideHeld({ kind: 'approve' })
      }
      return ended !== undefined
    },
    { withinMs: PATIENCE_MS, everyMs: 50 },
  )
  await ending
  const { signalCode: signal } = started
  if (ended === undefined || (ended.code !== 0 && signal !== 'SIGKILL'))
    throw new Error(`moment ${nth}: ended with ${ended?.code}: ${ended?.stderr}`)
  return { ...ended, signal }
}

/** What the tool that needs a person did. */
function sent({ root }: OpenDesk): readonly string[] {
  const file = join(root, 'effects')
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('send'))
}
