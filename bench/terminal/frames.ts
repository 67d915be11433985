import { monitorEventLoopDelay } from 'node:perf_hooks'
import { safeText } from '@countersign/core'
import { systemClock } from '@countersign/node'
import type { ChatEvent, ChatSource } from '@countersign/terminal/chat'
import { median } from '../interleave.ts'
import type { BenchRow } from '../table.ts'
import { createBenchScreen } from './screen.ts'

const CALLS_PER_SECOND = 50
const KEY_EVERY_MS = 150
const NOBODY = { decide: () => Promise.reject(new Error('nobody decides here')) }

/** A person types into the chat while calls arrive: frame times and key latency. */
export async function benchFrames(seconds: number): Promise<readonly BenchRow[]> {
  process.env['NODE_ENV'] = 'production'
  await import('../../packages/cli/src/tsx-loader.ts')
  const { runChat } = await import('@countersign/terminal')
  const screen = createBenchScreen()
  let listen = (_: ChatEvent): void => {}
  const source: ChatSource = {
    ...NOBODY,
    clock: systemClock,
    commands: [],
    subscribe(hear) {
      listen = hear
      return () => {}
    },
    status: () => ({ model: safeText('m'), preset: safeText('balanced'), isClassic: false, session: safeText('s') }),
    grants: async () => [],
    revoke: async () => {},
    say: () => true,
    abort() {},
  }
  const frames: number[] = []
  const leaving = new AbortController()
  const { stdin, stdout } = screen
  const onFrame = (ms: number): void => void frames.push(ms)
  const shown = runChat({ source, color: true, stdin, stdout, linear: false, leaving: leaving.signal, onFrame })
  await pause(500)
  frames.length = 0
  const blocked = monitorEventLoopDelay({ resolution: 1 })
  blocked.enable()
  const feeding = feed((event) => listen(event), seconds)
  const echoes = await typeAlong(screen, seconds)
  await feeding
  blocked.disable()
  leaving.abort()
  await shown
  const about = `chat, ${CALLS_PER_SECOND} calls per second for ${seconds} s while a person types`
  return [
    { name: `${about}: longest frame`, median: Math.max(...frames), unit: 'ms', ratio: `${frames.length} frames` },
    { name: `${about}: 99th percentile of frames`, median: within(frames, 0.99), unit: 'ms' },
    { name: `${about}: longest time without reading keys`, median: blocked.max / 1e6, unit: 'ms' },
    { name: `${about}: key to screen, median`, median: median(echoes), unit: 'ms' },
    {
      name: `${about}: key to screen, longest`,
      median: Math.max(...echoes),
      unit: 'ms',
      ratio: `${echoes.length} keys`,
    },
  ]
}

/** Concurrent calls: requested, judged, started, written and completed. */
async function feed(listen: (event: ChatEvent) => void, seconds: number): Promise<void> {
  const start = performance.now()
  for (let count = 0; count < seconds * CALLS_PER_SECOND; count += 1) {
    const due = start + (count * 1000) / CALLS_PER_SECOND
    await pause(Math.max(0, due - performance.now()))
    const callId = `call-${count}`
    const at = Date.now()
    listen({ kind: 'requested', agent: null, callId, tool: safeText('execute_command'), at })
    listen({ kind: 'judged', callId, risk: 'low', effect: safeText(`Runs \`echo ${count}\``) })
    listen({ kind: 'started', isContained: false, callId, at })
    listen({ kind: 'output', callId, text: `line of ${count}\n`.repeat(4) })
    listen({ kind: 'over', callId, state: 'completed', why: null, reason: null, isUndoable: false, at })
  }
}

/** Presses keys one by one, each after the previous one appeared on the screen. */
async function typeAlong(screen: ReturnType<typeof createBenchScreen>, seconds: number): Promise<readonly number[]> {
  const echoes: number[] = []
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    const key = String.fromCharCode(97 + (echoes.length % 26))
    const seen = new Promise<void>((resolve) =>
      screen.onDrawn((text) => {
        if (text.includes(`${key}▏`)) resolve()
      }),
    )
    const pressed = performance.now()
    screen.press(key)
    await seen
    echoes.push(performance.now() - pressed)
    await pause(KEY_EVERY_MS)
  }
  return echoes
}

function within(samples: readonly number[], part: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
