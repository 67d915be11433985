import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { type Decision, type HeldCallView, openView, type Receipt, signDecision } from '@countersign/core'
import {
  controlService,
  type Home,
  type LocalApprover,
  openApprover,
  openCrypto,
  type ServiceStatus,
} from '@countersign/node'
import { onTestFinished } from 'vitest'
import { type Ended, endOf, startCli } from '../command/spawn-cli.ts'
import { until } from '../until.ts'

/** `countersign serve` in a process of its own, and a browser that is signed in to it. */
export interface ServiceProcess {
  readonly status: ServiceStatus
  readonly home: Home
  /** Resolves when it has ended. */
  readonly ended: Promise<Ended>
  /** Sends SIGKILL at once, and resolves when it is gone. */
  kill(): Promise<void>
  /** A request like the inbox's. Rejects if the service is gone. */
  fetch(path: string, json?: unknown): Promise<Response>
  held(): Promise<readonly HeldCallView[]>
  decide(view: HeldCallView, decision: Decision, approver: LocalApprover): Promise<Receipt>
}

/** Starts the service of a home; it ends with the test. */
export function startServiceProcess(
  home: Home,
  workspace: string,
  words: readonly string[] = [],
): Promise<ServiceProcess> {
  return serviceIn(startCli(['serve', '--home', home.dir, '--json', '--port', '0', ...words], workspace), home)
}

/** The service that a started `countersign serve --json` becomes; it ends with the test. */
export async function serviceIn(child: ChildProcess, home: Home): Promise<ServiceProcess> {
  onTestFinished(() => kill(child))
  const ended = endOf(child)
  const status = await new Promise<ServiceStatus>((resolve, reject) => {
    child.stdout?.once('data', (line: string) => resolve(JSON.parse(line) as ServiceStatus))
    void ended.then(({ stderr }) => reject(new Error(stderr)))
  })
  const { url } = status
  let cookie: Promise<string> | undefined

  async function request(path: string, json?: unknown): Promise<Response> {
    cookie ??= signIn(home, url)
    const headers = { cookie: await cookie, origin: url, 'content-type': 'application/json' }
    const post = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }
    return fetch(`${url}/api/v1${path}`, { ...post, headers })
  }

  return {
    status,
    home,
    ended,
    kill: () => kill(child),
    fetch: request,
    async held() {
      const { held } = (await (await request('/held')).json()) as { readonly held: readonly HeldCallView[] }
      return held
    },
    async decide(view, decision, approver) {
      const signed = signDecision(openView(view, openCrypto(home)), decision, approver.signer, {
        surface: 'test',
        at: Date.now(),
      })
      return (await (await request(`/held/${view.id}/decision`, signed)).json()) as Receipt
    },
  }
}

/** An approver that every service on the store knows. */
export async function enrolEverywhere(services: readonly ServiceProcess[]): Promise<LocalApprover> {
  const [first] = services
  if (first === undefined) throw new Error('no service')
  const approver = openApprover(first.home, { name: 'ana' })
  for (const service of services)
    await until('the approver to be known', async () => {
      const response = await service.fetch('/me')
      return (await response.text()).includes(approver.approver.id)
    })
  return approver
}

async function signIn(home: Home, url: string): Promise<string> {
  const answer = await controlService(home, { do: 'ticket' })
  if (answer === undefined || !('link' in answer)) throw new Error('the service gives no link')
  const ticket = new URL(answer.link).hash.slice('#ticket='.length)
  const response = await fetch(`${url}/api/v1/sign-in`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ ticket }),
  })
  return response.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
