import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Decision, type HeldCallView, openView, signDecision } from '@countersign/core'
import { type OpenedGate, openApprover, openCrypto, openGate, openHome, openSqliteStore } from '@countersign/node'
import { COMMAND, COMMAND_ENV } from '@countersign/testing/command/command'
import { until } from '@countersign/testing/until'
import { type Command, initialize, type LinePeer, startPeer } from './line-peer.ts'

const FIXTURE = fileURLToPath(new URL('../fixture/', import.meta.url))

/** A policy that runs every tool of a server without asking. */
export const ALLOW_ALL =
  'version: 1\nrules:\n  - { tool: "*/*", supervision: automatic, up_to: critical, contain: false }\n'

/** The command of the fixture over stdio. */
export const STDIO_FIXTURE = [process.execPath, '--no-warnings', join(FIXTURE, 'stdio-child.ts')]

/** The command of the fixture over HTTP. */
export const HTTP_FIXTURE = [process.execPath, '--no-warnings', join(FIXTURE, 'http-child.ts')]

/** A server without the SDK that records every line. */
export const RECORDING_SERVER = [process.execPath, '--no-warnings', join(FIXTURE, 'recording-child.ts')]

/** The same over HTTP. */
export const RECORDING_HTTP_SERVER = [process.execPath, '--no-warnings', join(FIXTURE, 'recording-http-child.ts')]

/** A home with a policy, a workspace and a person, for proxies in their own processes. */
export interface RelayHome {
  readonly root: string
  readonly dir: string
  readonly workspace: string
  /** The command of a proxy with these arguments after `mcp`. */
  command(words: readonly string[], env?: NodeJS.ProcessEnv): Command
  /** The command of a proxy in front of a stdio server. */
  relay(label: string, server: readonly string[], options?: readonly string[], env?: NodeJS.ProcessEnv): Command
  /** Waits for this number of held calls and returns them. */
  held(count: number): Promise<readonly HeldCallView[]>
  decide(view: HeldCallView, decision: Decision): Promise<void>
  entries(): Promise<readonly { readonly [field: string]: unknown }[]>
  close(): Promise<void>
}

/** Creates a home in a folder. */
export function openRelayHome(root: string, policy = ALLOW_ALL): RelayHome {
  const workspace = join(root, 'project')
  mkdirSync(workspace, { recursive: true })
  const home = openHome(join(root, 'home'))
  writeFileSync(home.policy, policy, { mode: 0o600 })
  const { signer } = openApprover(home, { name: 'ana' })
  const crypto = openCrypto(home)
  let desk: Promise<OpenedGate> | undefined

  function opened(): Promise<OpenedGate> {
    desk ??= openGate({ home: home.dir, workspace })
    return desk
  }

  function command(words: readonly string[], env: NodeJS.ProcessEnv = {}): Command {
    return {
      argv: [process.execPath, ...COMMAND, '--home', home.dir, 'mcp', ...words],
      cwd: workspace,
      env: { ...COMMAND_ENV, ...env },
    }
  }

  return {
    root,
    dir: home.dir,
    workspace,
    command,
    relay: (label, server, options = [], env = {}) => command(['--name', label, ...options, '--', ...server], env),
    async held(count) {
      const { desk } = await opened()
      return until(`${count} held calls`, async () => {
        const views = await desk.list()
        return views.length >= count ? views : undefined
      })
    },
    async decide(view, decision) {
      const { desk } = await opened()
      const signed = signDecision(openView(view, crypto), decision, signer, { surface: 'test', at: Date.now() })
      await desk.decide(view.id, signed)
    },
    async entries() {
      const store = await openSqliteStore(home.store, { crypto, readOnly: true })
      try {
        const { size } = await store.head()
        return (await store.entries(1, size)).map(({ line }) => JSON.parse(line))
      } finally {
        await store.close()
      }
    },
    async close() {
      await (await desk)?.gate.close()
    },
  }
}

/** Starts a proxy and initializes the server behind it. */
export async function startClient(command: Command, capabilities: object = {}): Promise<LinePeer> {
  const peer = startPeer(command)
  await initialize(peer, capabilities)
  return peer
}
