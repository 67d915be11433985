import type { ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Call } from '@countersign/core'
import { makeEnrolmentCode, type OpenedGate, openGate, openHome, type ServiceStatus } from '@countersign/node'
import { endOf, spawnCli, startCli } from '../command/spawn-cli.ts'
import { until } from '../until.ts'
import { makeShop, SCENARIO_POLICY } from './scenario.ts'
import { holdAt } from './service.ts'

/** `countersign serve` in its own process, which can be killed and frozen, and a gate that asks. */
export interface InboxProcess {
  readonly url: string
  readonly opened: OpenedGate
  link(): Promise<string>
  code(): string
  hold(call: Call): Promise<string>
  clear(): Promise<void>
  /** Sends SIGKILL; held calls stay in the store. */
  kill(): Promise<void>
  freeze(): void
  thaw(): void
  /** Restarts it at the same address if it is gone. */
  revive(): Promise<void>
  close(): Promise<void>
}

/** Starts the service in its own folder. */
export async function startInboxProcess(): Promise<InboxProcess> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-inbox-')))
  const workspace = join(root, 'shop')
  mkdirSync(workspace)
  makeShop(workspace)
  const home = openHome(join(root, 'home'))
  writeFileSync(home.policy, SCENARIO_POLICY, { mode: 0o600 })
  let child: ChildProcess

  async function serve(port: string): Promise<ServiceStatus> {
    const started = startCli(['serve', '--home', home.dir, '--json', '--port', port], workspace)
    child = started
    const ended = endOf(started)
    return new Promise((resolve, reject) => {
      started.stdout?.once('data', (line: string) => resolve(JSON.parse(line) as ServiceStatus))
      void ended.then(({ stderr }) => reject(new Error(stderr)))
    })
  }

  const isGone = (): boolean => child.exitCode !== null || child.signalCode !== null

  async function kill(): Promise<void> {
    if (isGone()) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }

  const { url } = await serve('0')
  const opened = await openGate({ home, workspace })
  return {
    url,
    opened,
    async link() {
      const { stdout } = await spawnCli(['inbox', '--home', home.dir, '--json'], workspace)
      return (JSON.parse(stdout) as { readonly link: string }).link
    },
    code: () => makeEnrolmentCode(home, Date.now()),
    hold: (call) => holdAt(opened, call),
    async clear() {
      for (const { id } of await opened.desk.list()) await opened.gate.withdraw({ kind: 'ticket', callId: id })
    },
    kill,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async revive() {
      // Another process may take the port for a moment.
      const again = () =>
        serve(new URL(url).port).catch((error: unknown) => {
          if (!String(error).includes('is taken')) throw error
          return undefined
        })
      if (isGone()) await until('its port', again)
    },
    async close() {
      await kill()
      await opened.gate.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
