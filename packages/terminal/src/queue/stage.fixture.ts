import { type Decision, type OpenedView, type Receipt, safeText } from '@countersign/core'
import { MemoryTty } from '@countersign/testing/command/memory-tty'
import { openedView } from '@countersign/testing/gate/opened-view'
import { type SimulatedClock, simulatedClock } from '@countersign/testing/simulated-clock'
import { render } from 'ink'
import { createElement } from 'react'
import { onTestFinished } from 'vitest'
import type { DeskEvent, DeskSource, EditAnswer } from '../review/approval-source.ts'
import { QueueApp } from './app.tsx'

/** A held call with a one-letter id and digest. */
export function heldCall(id: string, given: Parameters<typeof openedView>[0] = {}): OpenedView {
  const opened = openedView({ effect: `Calls \`${id}\``, ...given })
  return { ...opened, view: { ...opened.view, id: id.repeat(8), requestDigest: id.repeat(16) } }
}

/** The queue on an in-memory terminal. */
export interface QueueStage {
  readonly tty: MemoryTty
  readonly clock: SimulatedClock
  readonly decided: (readonly [id: string, decision: Decision])[]
  readonly copied: readonly string[]
  /** `pause` and `resume`, as they were asked for. */
  readonly pauses: readonly string[]
  readonly rated: readonly (readonly [call: string, answer: string])[]
  tell(event: DeskEvent): Promise<void>
  type(chunk: string): Promise<void>
  /** Long enough for a card to be armed. */
  arm(): Promise<void>
  /** Resizes the terminal. */
  resize(columns: number, rows: number): Promise<void>
}

export async function openQueue(
  held: readonly OpenedView[],
  options: {
    readonly edit?: () => Promise<EditAnswer>
    readonly columns?: number
    readonly rows?: number
    readonly linear?: true
  } = {},
): Promise<QueueStage> {
  const clock = simulatedClock(0)
  const tty = new MemoryTty()
  Object.assign(tty, { columns: options.columns ?? 80, rows: options.rows ?? 24 })
  const decided: QueueStage['decided'] = []
  const copied: string[] = []
  const rated: [string, string][] = []
  const pauses: string[] = []
  let listen = (_: DeskEvent): void => {}
  const source: DeskSource = {
    clock,
    decide({ view }, decision) {
      decided.push([view.id, decision])
      return Promise.resolve({ held: view.id, accepted: true, state: 'x', by: 'me', at: 0, message: '' } as Receipt)
    },
    subscribe(heard) {
      listen = heard
      heard({ kind: 'held', calls: held })
      return () => {}
    },
    copy: (text) => void copied.push(text),
    wouldMatch: () =>
      Promise.resolve({
        ...{ matched: 14, of: 200, high: 2 },
        examples: ['git add src/app.ts'],
        nearMiss: 'git commit -am done',
      }),
    ...(options.edit === undefined ? {} : { edit: options.edit }),
    grants: () => Promise.resolve([]),
    revoke: () => Promise.resolve(),
    undo: () => Promise.resolve(safeText('asked')),
    setPause: async (to) => {
      pauses.push(to)
      return safeText(`${to}d`)
    },
    rate: async (callId, answer) => void rated.push([callId, answer]),
  }
  const streams = tty as unknown as NodeJS.ReadStream & NodeJS.WriteStream
  const app = render(createElement(QueueApp, { source, color: false, title: safeText('here') }), {
    stdin: streams,
    stdout: streams,
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
    maxFps: 1_000,
    isScreenReaderEnabled: options.linear === true,
  })
  onTestFinished(() => app.unmount())
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    await app.waitUntilRenderFlush()
  }
  await settle()
  return {
    tty,
    clock,
    decided,
    copied,
    rated,
    pauses,
    async tell(event) {
      listen(event)
      await settle()
    },
    async type(chunk) {
      tty.type(chunk)
      await settle()
      await clock.advance(50)
      await settle()
    },
    async resize(columns, rows) {
      Object.assign(tty, { columns, rows })
      tty.emit('resize')
      await settle()
    },
    async arm() {
      await clock.advance(1_000)
      await settle()
    },
  }
}
