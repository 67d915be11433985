import { CountersignError, createJournal, journalOrigin, type Store, verifyJournal } from '@countersign/core'
import {
  connectPageGate,
  type OpenedPageGate,
  openPageGate,
  type PageAsker,
  type PageGateOptions,
  type PageServiceOptions,
} from '@countersign/page'
import { mountApprovals } from '@countersign/page/dialog'
import '@countersign/react/style.css'
import { openCrypto, openSigner } from '../../../packages/page/src/keys/page-crypto.ts'
import { openStoreDatabase } from '../../../packages/page/src/store/database.ts'
import { openIndexedDbStore } from '../../../packages/page/src/store/indexed-db-store.ts'
import { openSecrets } from '../../../packages/page/src/store/page-secrets.ts'
import { openClock } from '../../../packages/page/src/tabs/page-clock.ts'
import { openNews } from '../../../packages/page/src/tabs/tab-news.ts'

const SEQ = '"seq":999999999999'

/** A change as it arrives from the test: functions cannot cross. */
type SentEntry = { readonly kind: string; readonly callId: string | null; readonly line: string | null }

const stores = new Map<string, Store>()

/** Opens a store by name; `handle` is the name of this connection. */
async function openStore(handle: string, name: string, now: number | null): Promise<void> {
  const database = await openStoreDatabase(name)
  const crypto = openCrypto(await openSecrets(database))
  stores.set(
    handle,
    openIndexedDbStore(database, { crypto, tabs: openNews(name), now: now === null ? Date.now : () => now }),
  )
}

/** Calls a method of a store. */
async function callStore(handle: string, method: keyof Store, args: readonly unknown[]): Promise<unknown> {
  const store = stores.get(handle)
  if (store === undefined) throw new Error(`no store ${handle}`)
  const [first] = args
  const given = method === 'commit' ? [withLines(first as { readonly entries: readonly SentEntry[] })] : args
  try {
    const value: unknown = await (store[method] as (...all: readonly unknown[]) => unknown)(...given)
    return { value }
  } catch (error) {
    return { code: error instanceof CountersignError ? error.code : 'none', message: String(error) }
  }
}

function withLines(change: { readonly entries: readonly SentEntry[] }) {
  const entries = change.entries.map(({ kind, callId, line }) => ({
    kind,
    callId,
    line(seq: number): string {
      if (line === null) throw new Error('no line')
      return line.replace(SEQ, `"seq":${seq}`)
    },
  }))
  return { ...change, entries }
}

/** Signs a checkpoint and verifies the journal of a store. */
async function verifyStore(handle: string, name: string): Promise<string> {
  const store = stores.get(handle)
  if (store === undefined) throw new Error(`no store ${handle}`)
  const secrets = await openSecrets(await openStoreDatabase(name))
  const [crypto, signer] = [openCrypto(secrets), openSigner(secrets)]
  const origin = journalOrigin(signer)
  const heads = { keep: async () => {}, kept: async () => [] }
  await createJournal({ store, crypto, signer, heads, origin, clock: openClock() }).checkpoint()
  return (await verifyJournal(store, { crypto, origin, publicKeys: [signer.publicKey] })).kind
}

let opened: OpenedPageGate | undefined
const answers: unknown[] = []

function current(): OpenedPageGate {
  if (opened === undefined) throw new Error('no gate is open')
  return opened
}

/** Opens a gate; an error becomes its code and message. */
async function start(options: PageGateOptions = {}): Promise<string> {
  try {
    opened = await openPageGate(options)
    return 'open'
  } catch (error) {
    return error instanceof CountersignError ? `${error.code}: ${error.message}` : String(error)
  }
}

/** Calls a tool that notes that it ran, for every tab and for after a reload. Its answer is added to `answers`. */
function use(name: string, args: object, options: Parameters<OpenedPageGate['gate']['wrap']>[1] = {}): void {
  const tool = current().gate.wrap({ name, run: (given: object) => note(name, given) }, options)
  void tool(args).then((answer) => answers.push(answer))
}

/** The same for a tool that never ends. */
function useEndless(name: string): void {
  const run = (given: object): Promise<void> => {
    note(name, given)
    return new Promise(() => {})
  }
  void current().gate.wrap({ name, run }, { requiresConfirmation: true })({})
}

function note(name: string, given: object): string {
  localStorage.setItem('ran', JSON.stringify([...ran(), [name, given]]))
  return 'done'
}

function ran(): readonly unknown[] {
  return JSON.parse(localStorage.getItem('ran') ?? '[]')
}

/** Decides the first held call, as a person at the desk would. */
async function decide(kind: 'approve' | 'reject') {
  const [view] = await current().desk.list()
  return view === undefined ? null : current().desk.answer(view, { kind })
}

let asker: PageAsker | undefined

/** Connects to a service; an error becomes its code and message. */
async function connect(options: PageServiceOptions): Promise<string> {
  try {
    asker = await connectPageGate(options)
    return 'connected'
  } catch (error) {
    return error instanceof CountersignError ? `${error.code}: ${error.message}` : String(error)
  }
}

function service(): PageAsker {
  if (asker === undefined) throw new Error('not connected')
  return asker
}

/** Like `use`, through the service. */
function useService(name: string, args: object): void {
  const tool = service().wrap({ name, run: (given: object) => note(name, given) })
  void tool(args).then((answer) => answers.push(answer))
}

/** What the tests use. */
const parts = {
  mountApprovals,
  openStore,
  callStore,
  verifyStore,
  start,
  use,
  useEndless,
  ran,
  decide,
  current,
  connect,
  service,
  useService,
  answers: () => answers,
}

export type PageParts = typeof parts

declare global {
  interface Window {
    readonly parts: PageParts
  }
}

Object.assign(window, { parts })
