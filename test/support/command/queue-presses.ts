import { type OpenedView, type Receipt, safeText } from '@countersign/core'
import { render } from 'ink'
import { createElement } from 'react'
import type { QueueApp } from '../../../packages/terminal/src/queue/app.tsx'
import type { DeskSource } from '../../../packages/terminal/src/review/approval-source.ts'
import { simulatedClock } from '../simulated-clock.ts'
import { MemoryTty } from './memory-tty.ts'

/** More presses than any card takes. */
const MOST = 200
const REASON = 'ok'

/**
 * Approves one held call in the real queue at 80×24, as a person would who knows the keys: reads what must be read, then
 * presses `y`. The number of key presses; a typed code and reason count letter by letter.
 */
export async function queuePresses(opened: OpenedView, queue: typeof QueueApp): Promise<number> {
  const clock = simulatedClock(0)
  const tty = new MemoryTty()
  let isDecided = false
  const source: DeskSource = {
    clock,
    decide({ view }) {
      isDecided = true
      return Promise.resolve({ held: view.id, accepted: true, state: 'x', by: 'me', at: 0, message: '' } as Receipt)
    },
    subscribe(listen) {
      listen({ kind: 'held', calls: [opened] })
      return () => {}
    },
    grants: () => Promise.resolve([]),
    revoke: () => Promise.resolve(),
    undo: () => Promise.resolve(safeText('asked')),
    setPause: async (to) => safeText(to),
    rate: async () => {},
  }
  const streams = tty as unknown as NodeJS.ReadStream & NodeJS.WriteStream
  const app = render(createElement(queue, { source, color: false, title: safeText('here') }), {
    ...{ stdin: streams, stdout: streams, interactive: true, exitOnCtrlC: false, patchConsole: false, maxFps: 1_000 },
  })
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    await app.waitUntilRenderFlush()
  }
  let presses = 0
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      await clock.advance(1_000)
      tty.type(key)
      await settle()
      presses += 1
    }
  }
  try {
    await settle()
    while (!isDecided && presses < MOST) {
      if (/type .* to approve|code .*›|reason/i.test(tty.frame) && tty.frame.includes('Enter to confirm')) {
        const isCode = !/reason/i.test(tty.frame)
        await press(...(isCode ? opened.code : REASON), '\r')
      } else if (/▼ \d+ of/.test(tty.frame) && opened.view.risk.level !== 'none' && opened.view.risk.level !== 'low')
        await press(' ')
      else if (/read the details first/.test(tty.frame)) await press('d')
      else await press('y')
    }
  } finally {
    app.unmount()
  }
  if (!isDecided) throw new Error(`not approved after ${presses} presses: ${tty.frame}`)
  return presses
}
