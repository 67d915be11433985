import { type Decision, type OpenedView, type Receipt, safeText } from '@countersign/core'
import { MemoryTty } from '@countersign/testing/command/memory-tty'
import { openedView } from '@countersign/testing/gate/opened-view'
import { simulatedClock } from '@countersign/testing/simulated-clock'
import { render } from 'ink'
import { createElement } from 'react'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ChatApp } from './app.tsx'
import type { ChatEvent, ChatSource } from './transcript/source.ts'

const CARD = 'y approve · n reject'

function call(id: string): OpenedView {
  const opened = openedView({ effect: `Calls \`${id}\`` })
  return { ...opened, view: { ...opened.view, id, requestDigest: id } }
}

const held = (id: string): readonly ChatEvent[] => [
  { kind: 'requested', agent: null, callId: id, tool: safeText('exec'), at: 0 },
  { kind: 'held', callId: id, opened: call(id), at: 0 },
]

const decided = (id: string): ChatEvent => ({
  kind: 'decided',
  callId: id,
  decision: 'approve',
  by: safeText('ana'),
  surface: null,
  isEdited: false,
  at: 0,
})

async function open(answer: Partial<Receipt> = {}) {
  const clock = simulatedClock(0)
  const tty = new MemoryTty()
  tty.rows = 40
  const asked: Decision[] = []
  const said: string[] = []
  let listen = (_: ChatEvent): void => {}
  const source: ChatSource = {
    clock,
    commands: [],
    status: () => ({
      model: safeText('model'),
      preset: safeText('balanced'),
      isClassic: false,
      session: safeText('session'),
    }),
    async decide({ view }, decision) {
      asked.push(decision)
      return { held: view.id, accepted: true, state: 'decided', by: 'me', at: 0, message: '', ...answer } as Receipt
    },
    subscribe(heard) {
      listen = heard
      return () => {}
    },
    grants: async () => [],
    revoke: async () => {},
    say: (text) => said.push(text) > 0,
    abort() {},
  }
  const streams = tty as unknown as NodeJS.ReadStream & NodeJS.WriteStream
  const app = render(createElement(ChatApp, { source, color: false }), {
    stdin: streams,
    stdout: streams,
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
    maxFps: 1_000,
  })
  onTestFinished(() => app.unmount())
  const pass = async (ms: number): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    await clock.advance(ms)
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    await app.waitUntilRenderFlush()
  }
  await pass(50)
  return {
    tty,
    asked,
    said,
    pass,
    async tell(...events: readonly ChatEvent[]) {
      for (const event of events) listen(event)
      await pass(50)
    },
    async type(chunk: string) {
      tty.type(chunk)
      await pass(50)
    },
  }
}

describe('a conversation on the screen', () => {
  it('returns the keyboard while an approved call runs, however long it takes', async () => {
    const { tty, asked, said, pass, tell, type } = await open()
    await tell(...held('one'))
    await pass(3_000)
    expect(tty.frame).toContain(CARD)
    await type('y')
    expect(asked).toEqual([{ kind: 'approve' }])
    await tell(decided('one'), { kind: 'started', callId: 'one', isContained: false, at: 0 })
    await pass(10_000)
    expect(tty.frame).not.toContain(CARD)
    expect(tty.all).not.toContain('did not count')
    expect(tty.frame).toContain('running')
    await type('hello')
    await type('\r')
    expect(said).toEqual(['hello'])
  })

  it('reports why a decision was not accepted if somebody was faster', async () => {
    const { tty, pass, tell, type } = await open({ accepted: false, message: 'it was already rejected by bob' })
    await tell(...held('one'))
    await pass(3_000)
    await type('y')
    await tell(decided('one'))
    expect(tty.all).toContain('· it was already rejected by bob')
  })

  it('opens no card while a person uses the grants panel', async () => {
    const { tty, pass, tell, type } = await open()
    await type('/grants')
    await type('\r')
    await pass(5_000)
    await tell(...held('one').slice(0, 1))
    await type('j')
    await tell(...held('one').slice(1))
    for (let key = 0; key < 5; key += 1) {
      await type('j')
      await pass(500)
      expect(tty.frame).not.toContain(CARD)
    }
    await pass(3_000)
    expect(tty.frame).toContain(CARD)
  })

  it('reads no key from an unfinished paste when its card opens, and loses no text (A5)', async () => {
    const { tty, asked, said, pass, tell, type } = await open()
    await type('go\r\x1b[200~hello')
    expect(said).toEqual(['go'])
    await tell(...held('one'))
    await pass(3_000)
    expect(tty.frame).toContain(CARD)
    for (const key of ['y', '\r', 'y']) {
      await type(key)
      await pass(2_000)
    }
    expect(asked).toEqual([])
    await type(' you\x1b[201~')
    await pass(2_000)
    expect(tty.frame).toMatch(/pasted|hello/)
    await type('y')
    expect(asked).toEqual([{ kind: 'approve' }])
    await tell(decided('one'))
    await pass(2_000)
    await type('\r')
    expect(said).toEqual(['go', 'helloy\ny you'])
  })

  it('prints every row of a long conversation once', async () => {
    const { tty, tell } = await open()
    const lines = Array.from({ length: 3_500 }, (_, at) => `row-${at};\n`)
    for (let at = 0; at < lines.length; at += 700)
      await tell({ kind: 'text', agent: null, text: lines.slice(at, at + 700).join('') })
    const printed = tty.all.match(/row-\d+;/g) ?? []
    expect(printed).toEqual(lines.map((line) => line.trim()))
  })
})
