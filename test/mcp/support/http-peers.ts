import { type ChildProcess, spawn } from 'node:child_process'
import type { Command } from './line-peer.ts'
import { HTTP_FIXTURE, type RelayHome } from './relay-home.ts'

/** A process that listens for HTTP. */
export interface HttpPeer {
  readonly url: string
  readonly child: ChildProcess
  end(): Promise<void>
}

/** Starts the fixture over HTTP. */
export function startHttpFixtureProcess(): Promise<HttpPeer> {
  return startHttp({ argv: HTTP_FIXTURE })
}

/** Starts an HTTP proxy in front of a URL. */
export function startHttpRelay(home: RelayHome, label: string, url: string): Promise<HttpPeer> {
  return startHttp(home.command(['--name', label, '--listen', '0', '--url', url]))
}

/** Starts a process and waits until it prints a URL on either stream. */
export function startHttp({ argv, cwd, env }: Command): Promise<HttpPeer> {
  const [program = '', ...args] = argv
  const child = spawn(program, args, { cwd, env: env ?? process.env, stdio: ['pipe', 'pipe', 'pipe'] })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  return new Promise((resolve, reject) => {
    let printed = ''
    const look = (chunk: string): void => {
      printed += chunk
      const url = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(printed)?.[0]
      if (url === undefined) return
      resolve({
        url,
        child,
        end() {
          child.kill('SIGTERM')
          return closed
        },
      })
    }
    child.stdout.setEncoding('utf8').on('data', look)
    child.stderr.setEncoding('utf8').on('data', look)
    void closed.then(() => reject(new Error(`no address was said: ${printed}`)))
  })
}
