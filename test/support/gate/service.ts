import { mkdirSync, writeFileSync } from 'node:fs'
import { connect as dial, type Socket } from 'node:net'
import { join } from 'node:path'
import {
  type Decision,
  type HeldCallView,
  type HeldSummary,
  openView,
  type Receipt,
  type SignedDecision,
  signDecision,
} from '@countersign/core'
import {
  connectGate,
  type Home,
  type LocalApprover,
  openApprover,
  openCrypto,
  openHome,
  type RemoteGate,
} from '@countersign/node'
import { type Service, type ServiceOptions, startService } from '@countersign/server'
import { onTestFinished } from 'vitest'
import { openStoreAgain, placeStore } from '../store/test-store.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { until } from '../until.ts'

/** A running service with a home, a workspace, an approver and a signed-in browser. */
export interface ServiceWorld {
  readonly service: Service
  readonly home: Home
  readonly workspace: string
  readonly approver: LocalApprover
  readonly port: number
  /** The cookie of a signed-in browser. */
  readonly cookie: string
  connect(label?: string): Promise<RemoteGate>
  /** A request like the page's: cookie, Origin and JSON. */
  fetch(path: string, init?: RequestInit & { readonly json?: unknown }): Promise<Response>
  json<T>(path: string, init?: RequestInit & { readonly json?: unknown }): Promise<T>
  held(count: number): Promise<readonly HeldCallView[]>
  sign(view: HeldCallView, decision: Decision): SignedDecision
  decide(view: HeldCallView, decision: Decision): Promise<Receipt>
  /** All entries of the journal. */
  entries(): Promise<readonly { readonly [field: string]: unknown }[]>
}

/** The default policy: tools that are held (`deploy` at high risk), and one that is not. */
const POLICY = `version: 1
rules:
  - { tool: deploy, supervision: confirm }
  - { tool: jot, supervision: confirm }
  - { tool: look, supervision: automatic }
`

/** Starts a service that stops when the test ends. */
export async function openServiceWorld(
  options: Partial<ServiceOptions> & { readonly policy?: string } = {},
): Promise<ServiceWorld> {
  const root = temporaryFolder()
  const workspace = join(root, 'project')
  mkdirSync(workspace)
  const home = options.home ?? openHome(join(root, 'home'))
  await placeStore(home)
  const { policy = POLICY, ...more } = options
  writeFileSync(home.policy, policy, { mode: 0o600 })
  const managed = { folder: join(root, 'managed'), owner: process.getuid?.() ?? 0 }
  const service = await startService({ version: '0.1.0', port: 0, managed, ...more, home })
  onTestFinished(() => service.stop())
  const approver = openApprover(home, { name: 'ana' })
  const crypto = openCrypto(home)
  const port = Number(new URL(service.url).port)
  const cookie = await signIn(service)

  async function request(path: string, init: RequestInit & { readonly json?: unknown } = {}): Promise<Response> {
    const { json, headers, ...rest } = init
    return fetch(`${service.url}/api/v1${path}`, {
      ...rest,
      ...(json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }),
      headers: { cookie, origin: service.url, 'content-type': 'application/json', ...headers },
    })
  }

  async function json<T>(path: string, init?: RequestInit & { readonly json?: unknown }): Promise<T> {
    return (await request(path, init)).json() as Promise<T>
  }

  /** Loads calls that are too large for the list separately, like the page. */
  async function whole(call: HeldCallView | HeldSummary): Promise<HeldCallView> {
    return 'request' in call ? call : json<HeldCallView>(`/held/${encodeURIComponent(call.id)}`)
  }

  function sign(view: HeldCallView, decision: Decision): SignedDecision {
    return signDecision(openView(view, crypto), decision, approver.signer, { surface: 'test', at: Date.now() })
  }

  const world: ServiceWorld = {
    service,
    home,
    workspace,
    approver,
    port,
    cookie,
    connect: (label) =>
      connectGate({
        address: { socket: service.socket },
        workspace,
        version: '0.1.0',
        ...(label === undefined ? {} : { label }),
      }),
    fetch: request,
    json,
    held: (count) =>
      until(`${count} held calls`, async () => {
        const { held } = await json<{ held: readonly (HeldCallView | HeldSummary)[] }>('/held')
        return held.length >= count ? Promise.all(held.map(whole)) : undefined
      }),
    sign,
    decide: (view, decision) => json(`/held/${view.id}/decision`, { json: sign(view, decision) }),
    async entries() {
      const store = await openStoreAgain(home, crypto)
      try {
        const { size } = await store.head()
        return (await store.entries(1, size)).map(({ line }) => JSON.parse(line))
      } finally {
        await store.close()
      }
    },
  }
  return world
}

/** Opens the link like a browser; returns its cookie. */
export async function signIn(service: Service): Promise<string> {
  const ticket = new URL(service.link().link).hash.slice('#ticket='.length)
  const answer = await fetch(`${service.url}/api/v1/sign-in`, {
    method: 'POST',
    headers: { origin: service.url, 'content-type': 'application/json' },
    body: JSON.stringify({ ticket }),
  })
  return answer.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
}

/** A server's response to exactly these bytes, until it closes or has responded once. */
export function rawAnswer(to: number | string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: Socket = typeof to === 'number' ? dial(to, '127.0.0.1') : dial(to)
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('error', reject)
    socket.on('data', (chunk: string) => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer))
    socket.end(bytes)
  })
}
