import { setTimeout as pause } from 'node:timers/promises'
import type { ToolResult } from '@countersign/core'
import { expect } from 'vitest'
import { openWorld, type World } from '../gate/world.ts'
import { passTime, settled } from '../simulated-clock.ts'
import { type Fault, faultAt, faultyPorts } from './faulty-ports.ts'

/** The timeout without faults. */
const LOOKS = 5_000

/** One call from asking to its end, with a fault at the n-th port call. */
export interface BrokenLife {
  readonly world: World
  /** The fault, for messages. */
  readonly why: string
  /** Asks, approves if held, and awaits the call; the fault can occur only within it. */
  whole<T>(ask: () => Promise<T>, approving?: () => void): Promise<T>
}

/** Runs `once` with a fault at each port call in turn, until a run has none left; that one completes. */
export async function breakEach(
  fault: Fault,
  policy: string,
  once: (life: BrokenLife) => Promise<ToolResult>,
): Promise<number> {
  for (let n = 1; n < 200; n += 1) {
    const plan = faultAt(n, fault)
    const life = await openBroken(plan, `${fault} at port call ${n}`, policy)
    try {
      const { kind } = await once(life)
      if (plan.calls() >= n) continue
      expect(kind, `nothing breaks, n is ${n}`).toBe('completed')
      return n
    } finally {
      await life.world.close()
    }
  }
  return expect.fail('no life without a broken port call is reached')
}

async function openBroken(plan: ReturnType<typeof faultAt>, why: string, policy: string): Promise<BrokenLife> {
  let isArmed = false
  let isBroken = false
  const next = (port: string, method: string): Fault | undefined => {
    const fault = isArmed && method !== 'version' ? plan.next(port, method) : undefined
    isBroken ||= fault !== undefined
    return fault
  }
  const world = await openWorld({ policy, wrapPorts: (ports) => faultyPorts(ports, { next }) })
  /** Gives real work, such as disk access, the time it needs; a broken one would only waste it. */
  async function unlessBroken(isThere: () => boolean): Promise<void> {
    for (let look = 0; look < LOOKS && !isThere() && !isBroken; look += 1) await pause(1)
    await settled()
  }
  return {
    world,
    why,
    async whole(ask, approving = () => {}) {
      let [isHeld, isEnded] = [false, false]
      const stop = world.gate.subscribe(({ kind }) => {
        isHeld ||= kind === 'held'
      })
      isArmed = true
      try {
        const result = ask().finally(() => {
          isEnded = true
        })
        await unlessBroken(() => isHeld || isEnded)
        const views = isEnded
          ? []
          : await passTime(
              world.clock,
              world.desk.list().catch(() => []),
              45_000,
            )
        for (const view of views) {
          approving()
          await passTime(
            world.clock,
            world.decide(view, { kind: 'approve' }).catch(() => undefined),
          )
        }
        await unlessBroken(() => isEnded)
        await world.clock.advance(5 * 60_000)
        return await passTime(world.clock, result)
      } finally {
        isArmed = false
        stop()
      }
    },
  }
}
