import type { Ports } from '@countersign/core'
import { overlay } from '@countersign/testing/intercept'
import { expectVerified, homeOn, openMachine, stepsOf } from '@countersign/testing/postgres/machine'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { until } from '@countersign/testing/until'
import { describe, expect, it } from 'vitest'

/** A process that is opened when all those before are gone. */
const afterwards = (ports: Ports): Ports => ({ ...ports, owners: { self: '7.7.77', isAlive: () => false } })

const STEPS = ['held', 'decided', 'started', 'completed'] as const
const MOMENTS = ['before', 'during', 'after'] as const

describe.skipIf(missingPostgres())('L7 A30: kill -9 of the database server', () => {
  const server = usePostgres({ safe: true })

  /** Kills the server once, around the first commit that makes an entry of this kind. */
  function killer(kind: string, moment: (typeof MOMENTS)[number]) {
    let kills = 0
    const wrap = ({ store, ...ports }: Ports): Ports => ({
      ...ports,
      store: overlay(store, {
        commit: async (change, beside) => {
          if (kills > 0 || !change.entries.some((entry) => entry.kind === kind)) return store.commit(change, beside)
          kills += 1
          if (moment === 'before') await server.crash()
          const committing = store.commit(change, beside)
          committing.catch(() => {}) // awaited below
          if (moment === 'during') await server.crash()
          const committed = await committing
          if (moment === 'after') await server.crash()
          return committed
        },
      }),
    })
    return { wrap, kills: () => kills }
  }

  for (const kind of STEPS)
    for (const moment of MOMENTS)
      it(`${moment} a call is ${kind}: it runs once or not at all, and nothing that was confirmed is lost`, async () => {
        const home = await homeOn(server.freshAddress())
        const { wrap, kills } = killer(kind, moment)
        const person = await openMachine(home, wrap)
        const { gate } = await openMachine(home, wrap)
        let ran = 0
        let isOver = false
        let isAccepted = false
        const running = gate
          .run({ id: 'job', tool: 'asked_thing', args: {} }, () => {
            ran += 1
          })
          .finally(() => {
            isOver = true
          })
        await until('the end of the call', async () => {
          if (isOver) return true
          const [view] = await person.desk.list().catch(() => [])
          if (view !== undefined && !isAccepted) {
            const receipt = await person.decide(view, { kind: 'approve' }).catch(() => undefined)
            isAccepted ||= receipt?.accepted === true
          }
          return isOver
        })
        const result = await running
        expect(kills()).toBe(1)
        const steps = await until('the store', () => stepsOf(person.ports, 'job').catch(() => undefined))
        expect(ran).toBeLessThanOrEqual(1)
        if (result.kind === 'completed') expect(ran).toBe(1)
        else expect(ran, JSON.stringify(result)).toBe(0)
        if (ran === 1) expect(steps).toEqual(expect.arrayContaining(['held', 'decided', 'started']))
        if (isAccepted) expect(steps).toContain('decided')
        expect(steps.filter((step) => step === 'started').length).toBeLessThanOrEqual(1)
        await gate.close()
        const later = await openMachine(home, afterwards)
        expect(await later.desk.list()).toEqual([])
        const row = await later.ports.store.call('job')
        expect(row?.state ?? 'closed').toBe('closed')
        if (ran === 1) expect(row?.outcome).toBe('recorded' in result && result.recorded ? 'completed' : 'unknown')
        await expectVerified(later.ports)
      })
})
