import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type Call, type HeldCallView, openView, signDecision } from '@countersign/core'
import {
  connectGate,
  controlService,
  type LocalApprover,
  openApprover,
  openCrypto,
  openHome,
  type RemoteGate,
} from '@countersign/node'
import { type Browser, openBrowser } from '../inbox/signed-in-client.ts'
import { until } from '../until.ts'
import type { Machine } from './machines.ts'

/** How much work several services get at once. */
export interface LoadSize {
  /** Calls that wait for a person at any time. */
  readonly held: number
  readonly deciders: number
  /** How long they decide. */
  readonly ms: number
}

/** What askers and deciders were told, which must agree with the journal. */
export interface LoadTally {
  /** Calls whose approval was acknowledged, and whose rejection was; by id, with how often. */
  readonly approved: Map<string, number>
  readonly rejected: Map<string, number>
  /** How often the effect of a call ran. */
  readonly ran: Map<string, number>
  readonly refused: Map<string, number>
  /** Decisions that came too late and were told so. */
  late: number
  /** Answers that nobody expects under load. */
  readonly odd: string[]
  /** Milliseconds from a decision to its receipt, and of one page of the queue. */
  readonly receipts: number[]
  readonly lists: number[]
  /** The most memory of each service, in MB. */
  readonly memory: Map<string, number>
}

const ASKERS = 20
/** One in this many decisions is sent by two at once, at different services, and one is a rejection. */
const RACED = 10
const REJECTED = 7
const LIST_EVERY_MS = 250

interface Station {
  readonly machine: Machine
  readonly socket: string
  readonly pid: number
  readonly ended: Promise<unknown>
  readonly browsers: readonly Browser[]
  readonly approver: LocalApprover
}

/** Starts a service on each machine. Calls are asked for and decided at all of them. */
export async function loadServices(machines: readonly Machine[], { held, deciders, ms }: LoadSize): Promise<LoadTally> {
  const tally: LoadTally = {
    approved: new Map(),
    rejected: new Map(),
    ran: new Map(),
    refused: new Map(),
    late: 0,
    odd: [],
    receipts: [],
    lists: [],
    memory: new Map(),
  }
  const queue: HeldCallView[] = []
  const shown = new Set<string>()
  const stations: Station[] = []
  for (const machine of machines) stations.push(await openStation(machine, deciders / machines.length))
  for (const { browsers } of stations)
    await browsers[0]?.stream(({ event, data }) => {
      if (event !== 'held') return
      const view = JSON.parse(data) as HeldCallView
      if (!shown.has(view.id)) queue.push(view)
      shown.add(view.id)
    })

  let isOpen = true
  const gates: RemoteGate[] = []
  for (let at = 0; at < ASKERS; at += 1) {
    const { machine, socket } = pick(stations, at)
    gates.push(await connectGate({ address: { socket }, workspace: machine.workspace, version: '0.1.0' }))
  }
  const askers = Array.from({ length: held }, (_, at) => askOn(pick(gates, at), at, () => isOpen, tally))
  await until(`${held} held calls`, () => shown.size >= held, { withinMs: 120_000 })

  const end = performance.now() + ms
  const isOver = () => performance.now() >= end
  const crypto = openCrypto(openHome(pick(stations, 0).machine.home))
  const deciding = stations.flatMap(({ browsers, approver }, here) =>
    browsers.map(async (browser, nth) => {
      while (!isOver()) {
        const view = queue.shift()
        if (view === undefined) {
          await pause(1)
          continue
        }
        const number = tally.receipts.push(Number.NaN) - 1
        const decision =
          number % REJECTED === 0 ? ({ kind: 'reject', reason: 'no' } as const) : ({ kind: 'approve' } as const)
        const signed = signDecision(openView(view, crypto), decision, approver.signer, {
          surface: 'load',
          at: Date.now(),
        })
        const other = pick(pick(stations, here + 1).browsers, nth)
        const began = performance.now()
        const answers = await Promise.all(
          (number % RACED === 0 ? [browser, other] : [browser]).map((one) => one.decide(signed)),
        )
        tally.receipts[number] = performance.now() - began
        for (const { status, receipt } of answers) {
          if (receipt.accepted) count(decision.kind === 'approve' ? tally.approved : tally.rejected, view.id)
          else if (status === 409) tally.late += 1
          else tally.odd.push(`decision: ${status} ${receipt.message}`)
        }
      }
    }),
  )
  const looking = stations.map(async ({ browsers, pid, socket }) => {
    const browser = pick(browsers, browsers.length - 1)
    while (!isOver()) {
      const began = performance.now()
      if ((await browser.countHeld()) === 0) tally.odd.push('an empty queue')
      tally.lists.push(performance.now() - began)
      tally.memory.set(socket, Math.max(tally.memory.get(socket) ?? 0, memoryOf(pid)))
      await pause(LIST_EVERY_MS)
    }
  })
  await Promise.all([...deciding, ...looking])
  isOpen = false
  const accepted = () => tally.approved.size + tally.rejected.size
  await until('every decided call to be answered', () => tally.ran.size + tally.refused.size >= accepted())
  for (const gate of gates) gate.close()
  await Promise.all(askers)
  for (const { machine, browsers, ended } of stations) {
    for (const browser of browsers) browser.close()
    await controlService(openHome(machine.home), { do: 'stop' })
    await ended
  }
  return tally
}

/** A service with people who are signed in to it. */
async function openStation(machine: Machine, people: number): Promise<Station> {
  const { status, ended } = await machine.serve('--most-held', '10000')
  const home = openHome(machine.home)
  const browsers: Browser[] = []
  for (let at = 0; at < people; at += 1) {
    const answer = await controlService(home, { do: 'ticket' })
    if (answer === undefined || !('link' in answer)) throw new Error('the service returned no link')
    browsers.push(await openBrowser(Number(new URL(status.url).port), answer.link))
  }
  return {
    machine,
    socket: status.socket,
    pid: status.pid,
    ended,
    browsers,
    approver: openApprover(home, { name: 'ana' }),
  }
}

/** One caller: asks, runs what was approved, settles, and asks again. */
async function askOn(gate: RemoteGate, caller: number, isOpen: () => boolean, tally: LoadTally): Promise<void> {
  for (let nth = 0; isOpen(); nth += 1) {
    const call: Call = { tool: 'forecast', args: { note: `${caller}/${nth}` }, description: { kind: 'read' } }
    try {
      const answer = await gate.ask(call)
      if (answer.kind === 'permit') {
        count(tally.ran, answer.callId)
        await gate.settle(answer, 'completed')
      } else if (answer.outcome === 'rejected') count(tally.refused, answer.callId)
      else if (isOpen()) tally.odd.push(`ask: ${answer.code} ${answer.message}`)
    } catch (error) {
      if (!isOpen()) return // the caller went away, and its call with it
      tally.odd.push(`ask: ${String(error)}`)
      return
    }
  }
}

function memoryOf(pid: number): number {
  const kb = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
  return Number(kb ?? Number.NaN) / 1024
}

function pick<T>(all: readonly T[], at: number): T {
  const one = all[at % all.length]
  if (one === undefined) throw new Error('nothing to choose from')
  return one
}

function count(into: Map<string, number>, id: string): void {
  into.set(id, (into.get(id) ?? 0) + 1)
}
