import { type Call, CountersignError, type Outcome, type Refusal } from '@countersign/core'
import { openConnection, type Unnumbered } from './connection.ts'
import type { ConnectOptions, ServiceAddress } from './dial.ts'
import { openReturningLink } from './returning-link.ts'
import { type AskOptions, linkOf, type ServiceLink } from './service-link.ts'
import type { RemotePermit, RemoteTicket } from './wire-protocol.ts'

/**
 * The asking side of a gate in another process: the same contract, over its socket. `ask` and `wait` never throw: a
 * service that is gone, or that stopped answering, is a refusal.
 */
export interface RemoteGate {
  readonly session: string
  ask(call: Call, options?: AskOptions): Promise<RemotePermit | Refusal>
  submit(call: Call): Promise<RemoteTicket>
  wait(ticket: RemoteTicket, options?: AskOptions): Promise<RemotePermit | Refusal>
  withdraw(ticket: RemoteTicket): Promise<void>
  settle(permit: Pick<RemotePermit, 'callId'>, outcome: Outcome, detail?: string): Promise<void>
  isConfirmationRequired(call: Call): Promise<boolean>
  close(): void
}

/**
 * Connects to a running service. Throws CS_SERVICE when none is running, or when its protocol version differs. With a list
 * of addresses, or `comesBack`, the asker goes on at another service on the same store when one is lost, and its held calls
 * stay held meanwhile.
 */
export async function connectGate(options: ConnectOptions): Promise<RemoteGate> {
  const { address, comesBack, ...rest } = options
  const addresses = isList(address) ? address : [address]
  const [only] = addresses
  if (only === undefined) throw new CountersignError('CS_SERVICE', 'no address of a service was given; name one')
  if (comesBack === true || isList(address)) return gateOver(await openReturningLink(rest, addresses))
  return gateOver(linkOf(await openConnection({ ...rest, address: only })))
}

function isList(address: ConnectOptions['address']): address is readonly ServiceAddress[] {
  return Array.isArray(address)
}

function gateOver(link: ServiceLink): RemoteGate {
  async function decided(line: Unnumbered, about: AskOptions | undefined): Promise<RemotePermit | Refusal> {
    try {
      const found = await link.exchange(line, about)
      if ('permit' in found) return found.permit
      if ('refusal' in found) return found.refusal
      throw unexpected()
    } catch (error) {
      return refusalOf(error, callIdOf(line))
    }
  }

  return {
    session: link.session,
    ask: (call, about) => decided({ do: 'ask', call: plain(call) }, about),
    wait: ({ callId, key }, about) => decided({ do: 'wait', callId, key }, about),
    async submit(call) {
      const found = await link.exchange({ do: 'submit', call: plain(call) })
      if ('ticket' in found) return found.ticket
      throw unexpected()
    },
    async withdraw({ callId, key }) {
      await link.exchange({ do: 'withdraw', callId, key })
    },
    async settle({ callId }, outcome, detail) {
      await link.exchange({ do: 'settle', callId, outcome, ...(detail === undefined ? {} : { detail }) })
    },
    async isConfirmationRequired(call) {
      const found = await link.exchange({ do: 'required', call: plain(call) })
      return !('required' in found) || found.required
    },
    close: () => link.close(),
  }
}

/** A call as it travels: what is code stays here. */
function plain({ describe: _, preview: __, ...call }: Call): Call {
  return call
}

/** INVARIANT: L3, a call without an answer is refused, with a message that a model can act on. */
function refusalOf(error: unknown, callId: string): Refusal {
  const { code, message } = error instanceof CountersignError ? error : unexpected()
  return { kind: 'refusal', callId, outcome: 'refused', code, message, reason: null, rule: null }
}

function callIdOf(line: Unnumbered): string {
  return 'call' in line ? (line.call.id ?? '') : 'callId' in line ? line.callId : ''
}

function unexpected(): CountersignError {
  return new CountersignError('CS_SERVICE', 'the service sent an unexpected answer; update both sides')
}
