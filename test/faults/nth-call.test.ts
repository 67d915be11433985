import { breakEach } from '@countersign/testing/faults/fault-run'
import { describe, expect, it } from 'vitest'

const POLICY = `
version: 1
defaults: { timeout: 1m }
rules:
  - { id: free, tool: free_thing, supervision: automatic }
  - { id: asked, tool: asked_thing, supervision: confirm }
`

describe('a fault at the n-th port call', () => {
  for (const tool of ['free_thing', 'asked_thing'] as const) {
    for (const fault of ['throw', 'throw-after', 'hang', 'late', 'duplicate'] as const) {
      it(`${fault} at every port call of ${tool}: refused or run once, never without asking`, async () => {
        const last = await breakEach(fault, POLICY, async ({ world, why, whole }) => {
          let ran = 0
          let approved = false
          const paths = [`${world.workspace}/x`]
          const call = { tool, args: { path: paths[0] ?? '' }, description: { kind: 'write', paths } } as const
          const run = (): void => {
            ran += 1
            if (tool === 'asked_thing') expect(approved, `${why}: ran before approval`).toBe(true)
          }
          const approving = (): void => {
            approved = true
          }
          const ended = await whole(() => world.gate.run(call, run), approving)
          expect(ran, why).toBeLessThanOrEqual(1)
          if (ended.kind === 'refusal') expect(ran, `${why}: refused, so it must not have run`).toBe(0)
          if (ended.kind === 'completed') expect(ran, why).toBe(1)
          return ended
        })
        expect(last).toBeGreaterThan(3)
      }, 120_000)
    }
  }
})
