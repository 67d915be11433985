import { onTestFinished } from 'vitest'
import { openHttpClient } from './http-client.ts'
import { startHttpRelay } from './http-peers.ts'
import type { Rpc } from './line-peer.ts'
import { type RecordedServer, recordedHttpServer, recordedServer } from './recorded-server.ts'
import { type RelayHome, startClient } from './relay-home.ts'

/** The transports between client, proxy and server: stdio only, stdio to HTTP, HTTP only. */
export const WAYS = ['pipe', 'url', 'listen'] as const
export type Way = (typeof WAYS)[number]

/** An initialized client on any transport. */
export interface Talker {
  ask(message: Rpc): Promise<Rpc>
  until(fits: (message: Rpc) => boolean): Promise<Rpc>
}

/** Starts a recording server, a proxy in front of it and a client, until the test ends. */
export async function talkTo(
  home: RelayHome,
  label: string,
  way: Way,
  mode: readonly string[] = [],
): Promise<{ readonly server: RecordedServer; readonly client: Talker }> {
  if (way !== 'listen') {
    const server = way === 'url' ? await recordedHttpServer(home, label, mode) : recordedServer(home, label, mode)
    const client = await startClient(server.command)
    onTestFinished(async () => void (await client.end()))
    return { server, client }
  }
  const server = await recordedHttpServer(home, label, mode)
  const relay = await startHttpRelay(home, label, server.url)
  onTestFinished(() => relay.end())
  const client = await openHttpClient(relay.url)
  onTestFinished(() => client.close())
  return { server, client }
}
