import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Decision, type HeldCallView, openView, type SignedDecision, signDecision } from '@countersign/core'
import {
  connectGate,
  controlService,
  type Home,
  openApprover,
  openCrypto,
  openHome,
  type RemoteGate,
  type ServiceStatus,
} from '@countersign/node'
import { type Browser, openBrowser } from '@countersign/testing/inbox/signed-in-client'
import { COMMAND } from '../command.ts'
import { startChild } from './child.ts'
import type { ServiceClocks } from './service-clocks.ts'

/** Requests to the probe in the service's process. */
export type ServiceQuestion = 'clocks' | 'memory' | 'collected memory'

/** The memory of the service's process. */
export interface MemoryFigures {
  readonly rssMb: number
  /** JavaScript objects, including garbage. */
  readonly heapMb: number
  /** The heap that V8 has reserved for them. */
  readonly reservedMb: number
  /** Buffers and other memory outside of the heap. */
  readonly externalMb: number
}

/** A service in another process, with asker and approver in this one. */
export interface ServiceStage {
  readonly root: string
  readonly home: Home
  readonly publicKey: string
  connect(): Promise<RemoteGate>
  browse(): Promise<Browser>
  sign(view: HeldCallView, decision: Decision): SignedDecision
  /** The times of the last events in the service. */
  clocks(): Promise<ServiceClocks>
  memory(collected: boolean): Promise<MemoryFigures>
  /** Stops the service; its files stay until `close`. */
  stop(): Promise<void>
  close(): Promise<void>
}

/** A typical PATH: npm prepends many more folders, and each of them is searched. */
const SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin'

const PROBE = join(import.meta.dirname, 'service-probe.ts')

/** Starts a service in a temporary folder, with the file `src/index.ts` in its workspace. */
export async function openServiceStage(options: {
  readonly policy?: string
  readonly mostHeld?: number
}): Promise<ServiceStage> {
  const root = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const workspace = join(root, 'project')
  mkdirSync(join(workspace, 'src'), { recursive: true })
  writeFileSync(join(workspace, 'src/index.ts'), 'export {}\n')
  const home = openHome(join(root, 'home'))
  if (options.policy !== undefined) writeFileSync(home.policy, options.policy, { mode: 0o600 })
  process.env['PATH'] = SEARCH_PATH
  const held = options.mostHeld === undefined ? [] : ['--most-held', String(options.mostHeld)]
  const child = await startChild(
    COMMAND.file,
    ['--home', home.dir, 'serve', '--port', '0', ...held],
    [...COMMAND.flags, '--expose-gc', '--import', PROBE],
  )
  const { url, socket } = await statusOf(home)
  const { signer } = openApprover(home, { name: 'ana' })
  const crypto = openCrypto(home)
  const ask = async (question: ServiceQuestion) => ((await child.ask(question)) as { readonly answer?: unknown }).answer
  return {
    root,
    home,
    publicKey: signer.publicKey,
    connect: () => connectGate({ address: { socket }, workspace, version: '0.1.0' }),
    browse: async () => openBrowser(Number(new URL(url).port), await linkOf(home)),
    sign: (view, decision) =>
      signDecision(openView(view, crypto), decision, signer, { surface: 'bench', at: Date.now() }),
    clocks: async () => (await ask('clocks')) as ServiceClocks,
    memory: async (collected) => (await ask(collected ? 'collected memory' : 'memory')) as MemoryFigures,
    async stop() {
      await controlService(home, { do: 'stop' })
      await child.exited
    },
    async close() {
      await child.end()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** A new service takes a moment to listen. */
async function statusOf(home: Home): Promise<ServiceStatus> {
  for (let tries = 0; tries < 200; tries += 1) {
    const answer = await controlService(home, { do: 'status' })
    if (answer !== undefined && 'status' in answer) return answer.status
    await pause(50)
  }
  throw new Error('the service did not start')
}

async function linkOf(home: Home): Promise<string> {
  const answer = await controlService(home, { do: 'ticket' })
  if (answer !== undefined && 'link' in answer) return answer.link
  throw new Error('the service returned no link')
}
