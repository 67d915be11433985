import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Decision, type HeldCallView, openView, type SignedDecision, signDecision } from '@countersign/core'
import { connectGate, type Home, openApprover, openCrypto, openHome, type RemoteGate } from '@countersign/node'
import { type Browser, openBrowser } from './browser.ts'
import { startChild } from './child.ts'
import type { ServiceClocks } from './service-clocks.ts'

export type ServiceQuestion = 'link' | 'clocks' | 'memory' | 'collected memory' | 'stop'

/** What the service's process takes. */
export interface MemoryFigures {
  readonly rssMb: number
  /** Objects of JavaScript, with those not yet collected. */
  readonly heapMb: number
  /** What V8 has taken from the system for them. */
  readonly reservedMb: number
  /** Buffers and the like, outside of that. */
  readonly externalMb: number
}

/** A service in another process, with whoever asks and whoever decides in this one. */
export interface ServiceStage {
  readonly root: string
  readonly home: Home
  readonly publicKey: string
  connect(): Promise<RemoteGate>
  browse(): Promise<Browser>
  sign(view: HeldCallView, decision: Decision): SignedDecision
  /** When things last happened in the service. */
  clocks(): Promise<ServiceClocks>
  memory(collected: boolean): Promise<MemoryFigures>
  /** Stops the service; its files stay until `close`. */
  stop(): Promise<void>
  close(): Promise<void>
}

/** Where an account finds its programs: npm puts many more folders in front, and each is looked into. */
const SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin'

/** Starts a service in a temporary folder, with one file to read at `src/index.ts` of its workspace. */
export async function openServiceStage(options: {
  readonly policy?: string
  readonly bounds?: { readonly held: number; readonly heldInSession: number }
}): Promise<ServiceStage> {
  const root = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const workspace = join(root, 'project')
  mkdirSync(join(workspace, 'src'), { recursive: true })
  writeFileSync(join(workspace, 'src/index.ts'), 'export {}\n')
  const home = openHome(join(root, 'home'))
  if (options.policy !== undefined) writeFileSync(home.policy, options.policy, { mode: 0o600 })
  process.env['PATH'] = SEARCH_PATH
  const child = await startChild('service-child.ts', [home.dir, JSON.stringify(options.bounds ?? {})])
  const { url, socket } = child.first as { readonly url: string; readonly socket: string }
  const { signer } = openApprover(home, { name: 'ana' })
  const crypto = openCrypto(home)
  const ask = async (question: ServiceQuestion) => ((await child.ask(question)) as { readonly answer?: unknown }).answer
  return {
    root,
    home,
    publicKey: signer.publicKey,
    connect: () => connectGate({ address: { socket }, workspace, version: '0.1.0' }),
    browse: async () => openBrowser(Number(new URL(url).port), String(await ask('link'))),
    sign: (view, decision) =>
      signDecision(openView(view, crypto), decision, signer, { surface: 'bench', at: Date.now() }),
    clocks: async () => (await ask('clocks')) as ServiceClocks,
    memory: async (collected) => (await ask(collected ? 'collected memory' : 'memory')) as MemoryFigures,
    stop: async () => void (await ask('stop')),
    async close() {
      await child.end()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
