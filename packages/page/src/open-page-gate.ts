import { CountersignError, createGate, type Gate, type GateOptions, OPEN_STATES, type Ports } from '@countersign/core'
import { openBrowserKey } from '@countersign/react/browser-key'
import { openCrypto, openSigner } from './keys/page-crypto.ts'
import { answerHeld, type DeskNews, type PageDesk } from './page-desk.ts'
import { openJournal } from './page-journal.ts'
import { NO_FILES, NO_PLACES } from './ports/no-files.ts'
import { openApprovers } from './ports/page-approver.ts'
import { pageCheckers } from './ports/page-checkers.ts'
import { openPolicyTexts, type PagePolicy } from './ports/policy-texts.ts'
import { openStoreDatabase } from './store/database.ts'
import { openIndexedDbStore } from './store/indexed-db-store.ts'
import { openHeads } from './store/kept-heads.ts'
import { openSecrets } from './store/page-secrets.ts'
import { openClock } from './tabs/page-clock.ts'
import { openNews } from './tabs/tab-news.ts'
import { openOwners } from './tabs/tab-owners.ts'

/** How to open a gate in a page. Everything has a default. */
export interface PageGateOptions {
  /** YAML text, the same as an object, or several of them; the preset `balanced` when absent. */
  readonly policy?: PagePolicy
  /** How long a person has to decide where the policy names no `timeout`: `60s`. */
  readonly timeout?: string
  /** The name of the store: tabs of one origin with the same name share calls, grants and journal. */
  readonly store?: string
  /** The name of the person, in receipts and the journal. */
  readonly person?: string
  readonly bounds?: GateOptions['bounds']
  readonly checkers?: GateOptions['checkers']
}

/** A gate in a page, and its two handles. */
export interface OpenedPageGate {
  /** Asks. Give it to the agent loop. */
  readonly gate: Gate
  /** Decides. Give it to the dialog, and to nothing that a model or a tool can reach. */
  readonly desk: PageDesk
  /**
   * The lowest tier: asking and deciding are different handles, but any script of the page can reach both. It keeps a
   * model from running tools unasked; it does not protect against hostile scripts.
   */
  readonly tier: 'T0'
}

const STORE = 'countersign page'

/**
 * Opens the gate in this page. Rejects with one readable line if the browser cannot keep its promises; then no tool runs.
 *
 * ```tsx
 * const { gate, desk } = await openPageGate({ policy: { version: 1, preset: 'balanced' } })
 * ```
 */
export async function openPageGate(options: PageGateOptions = {}): Promise<OpenedPageGate> {
  requireBrowser()
  const name = `${STORE} ${options.store ?? 'default'}`
  const opened: (() => void)[] = []
  const closeAll = (): void => {
    for (const close of opened.splice(0).reverse()) close()
  }
  try {
    return await openIn(name, options, opened, closeAll)
  } catch (error) {
    closeAll()
    throw error
  }
}

async function openIn(
  name: string,
  options: PageGateOptions,
  opened: (() => void)[],
  closeAll: () => void,
): Promise<OpenedPageGate> {
  const database = await openStoreDatabase(name)
  opened.push(() => database.close())
  const secrets = await openSecrets(database)
  const crypto = openCrypto(secrets)
  const clock = openClock()
  const news = openNews(name)
  opened.push(news.close)
  const heads = await openHeads(name)
  opened.push(heads.close)
  const listeners = new Set<(about: DeskNews) => void>()
  const tell = (about: DeskNews): void => {
    for (const listener of [...listeners]) listener(about)
  }
  const sweep = { now: async (): Promise<unknown> => undefined }
  const owners = await openOwners(name, crypto.randomId(), () => void sweep.now().catch(() => {}))
  opened.push(owners.close)
  const key = await openBrowserKey()
  const policyFiles = openPolicyTexts(options.policy ?? { version: 1 }, options.timeout ?? '60s')
  const ports: Ports = {
    ...NO_FILES,
    clock,
    crypto,
    signer: openSigner(secrets),
    store: openIndexedDbStore(database, { crypto, tabs: news, now: clock.now }),
    approvers: openApprovers(key, options.person ?? 'the person at this page'),
    owners,
    policyFiles,
    heads,
  }
  const open = await ports.store.calls({ state: OPEN_STATES, limit: 10_000, unsealed: true })
  await owners.look(open.map(({ owner }) => owner))
  const { gate, desk } = await createGate(ports, {
    places: NO_PLACES,
    session: 'session',
    opening: { tier: 'T0', page: location.origin },
    checkers: [...pageCheckers(ports), ...(options.checkers ?? [])],
    ...(options.bounds === undefined ? {} : { bounds: options.bounds }),
  })
  sweep.now = () => desk.sweep().then(() => tell({ kind: 'other-tab' }))
  opened.push(gate.subscribe(tell))
  opened.push(
    news.onNews(() => {
      clock.wakeDue()
      tell({ kind: 'other-tab' })
    }),
  )
  const pageDesk: PageDesk = {
    ...desk,
    answer: (view, decision) => answerHeld(desk, view, decision, { key, crypto, clock }),
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    usePolicy: (policy) => policyFiles.replace(policy),
    journal: openJournal(ports),
  }
  async function close(): Promise<void> {
    try {
      await gate.close()
    } finally {
      closeAll()
    }
  }
  return { gate: { ...gate, close }, desk: pageDesk, tier: 'T0' }
}

/** INVARIANT: L3, a browser that lacks a part of the gate gets none. */
function requireBrowser(): void {
  const missing = [
    ['keys', globalThis.crypto?.subtle],
    ['Web Locks', globalThis.navigator?.locks],
    ['IndexedDB', globalThis.indexedDB],
    ['BroadcastChannel', globalThis.BroadcastChannel],
  ].flatMap(([part, found]) => (found == null ? [part] : []))
  if (missing.length === 0) return
  const why = globalThis.isSecureContext === false ? 'open it over https or on localhost' : 'use a current browser'
  throw new CountersignError('CS_STORE_OPEN', `this page has no ${missing.join(', ')}; ${why}`)
}
