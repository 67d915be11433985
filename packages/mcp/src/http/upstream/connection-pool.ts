import { Agent, type ClientRequest } from 'node:http'
import { connect, type Socket } from 'node:net'

interface Connection {
  readonly socket: Socket
  isIdle: boolean
  /** From when on its server may close it at any moment. */
  until: number
}

interface Place {
  readonly host: string
  readonly port: number
}

/** INVARIANT: L10. */
const MAX_IDLE = 64
const ALIVE_AFTER_MS = 10_000
/** A connection is let go of so long before its server would. */
const BEFORE_MS = 1_000

/**
 * Connections to one server over plain HTTP, each used again and again. Node's own agent is made for any number of servers:
 * with a server on the same machine, its names, counts and queues are a good part of a call.
 */
export class KeepAliveAgent extends Agent {
  readonly #place: Place
  readonly #all = new Set<Connection>()
  #idle: Connection[] = []
  #hint: string | undefined
  #patienceMs = Number.POSITIVE_INFINITY

  constructor(place: Place) {
    super({ keepAlive: true })
    this.#place = place
  }

  /** Node asks here for the connection of a request. */
  addRequest(request: ClientRequest): void {
    const kept = this.#take()
    request.reusedSocket = kept !== null
    request.onSocket(kept ?? this.#connect())
  }

  /** What an answer says of how long its connection is kept: `Keep-Alive`. */
  heed(hint: string | undefined): void {
    if (hint === this.#hint) return
    this.#hint = hint
    const seconds = /(?:^|[\s,])timeout=(\d{1,9})/i.exec(hint ?? '')?.[1]
    this.#patienceMs = seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1000 - BEFORE_MS
  }

  override destroy(): void {
    for (const { socket } of this.#all) socket.destroy()
  }

  #take(): Socket | null {
    for (let one = this.#idle.pop(); one !== undefined; one = this.#idle.pop()) {
      const { socket, until } = one
      one.isIdle = false
      if (socket.writable && performance.now() < until) return socket.ref()
      socket.destroy()
    }
    return null
  }

  #connect(): Socket {
    const socket = connect({
      ...this.#place,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: ALIVE_AFTER_MS,
    })
    const one: Connection = { socket, isIdle: false, until: 0 }
    this.#all.add(one)
    socket.on('free', () => this.#keep(one))
    // SECURITY: A20 what a server says unasked would be the answer to whatever is asked next.
    socket.on('data', () => {
      if (one.isIdle) socket.destroy()
    })
    socket.on('error', () => {}) // the request that uses it hears of it
    socket.on('close', () => {
      this.#all.delete(one)
      if (one.isIdle) this.#idle = this.#idle.filter((other) => other !== one)
    })
    return socket
  }

  #keep(one: Connection): void {
    const { socket } = one
    if (!socket.writable || this.#patienceMs <= 0 || this.#idle.length >= MAX_IDLE) return void socket.destroy()
    one.isIdle = true
    one.until = performance.now() + this.#patienceMs
    this.#idle.push(one)
    socket.unref()
  }
}
