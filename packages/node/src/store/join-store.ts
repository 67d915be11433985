import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { CountersignError, type GateList, OPEN_STATES } from '@countersign/core'
import type { Home } from '../home/home.ts'
import { openGateKey } from '../keys/home-keys.ts'
import { openCrypto } from '../keys/node-crypto.ts'
import { thisMachine } from '../process/machine.ts'
import { type HomeStore, loadPostgres, openHomeStore } from './home-store.ts'
import { readStoreSetting, writeStoreSetting } from './store-setting.ts'

/** How to join a shared store. */
export interface JoinOptions {
  /** A code from `newJoinCode`, which a person carries to a machine that uses the store. */
  readonly code: string
  /** Called once the request is in the store. */
  onAsked?(): void
  readonly signal?: AbortSignal
  /** How long the request waits. */
  readonly livesMs?: number
}

const LIVES_MS = 600_000
const BETWEEN_MS = 500

/**
 * Joins the gates that share the store at `postgres://…`: leaves a request there, waits until a person admits it on a
 * machine that uses the store, and takes over its keys, approvers and list of gates.
 */
export async function joinStore(home: Home, address: string, options: JoinOptions): Promise<GateList> {
  const { code, onAsked, signal, livesMs = LIVES_MS } = options
  await refuseOpenCalls(home)
  const { openPostgresStore } = await loadPostgres()
  const { joinIdOf, makeJoinRequest, openJoinAnswer } = await import('../sharing/join-messages.ts')
  const { takePart } = await import('../sharing/followed-gates.ts')
  const crypto = openCrypto(home)
  const signer = openGateKey(home)
  const store = await openPostgresStore(address, { crypto })
  const board = store.gates
  const id = joinIdOf(code)
  try {
    if ((await board.listsAfter(0)).length === 0)
      throw refusal('no gate uses this store yet; to be the first, run `countersign store use` with its address')
    const request = makeJoinRequest(code, thisMachine().name, signer)
    if (!(await board.ask(id, request.text, livesMs)))
      throw refusal('too many machines are asking to join; try again in ten minutes')
    onAsked?.()
    const answer = await answered()
    const journalSize = async () => (await store.head()).size
    await takePart({ home, board, crypto, signer, now: Date.now, journalSize }, openJoinAnswer(code, request, answer))
    writeStoreSetting(home, address)
  } finally {
    await board.forget(id).catch(() => {}) // it ends by itself
    await store.close()
  }
  return listOf(await openHomeStore(home, { crypto: openCrypto(home) }))

  async function answered(): Promise<string> {
    for (;;) {
      const row = await board.asked(id)
      if (row === undefined)
        throw refusal('nobody admitted this machine in time; nothing was changed, run the command again')
      if (row.answer !== null) return row.answer
      await pause(BETWEEN_MS, undefined, signal === undefined ? {} : { signal })
    }
  }
}

async function listOf({ store, gates }: HomeStore): Promise<GateList> {
  try {
    if (gates !== undefined) return gates.list()
    throw refusal('this home shares no store')
  } finally {
    await store.close()
  }
}

/** INVARIANT: L3, a call that is held or runs is never left behind in the former store. */
async function refuseOpenCalls(home: Home): Promise<void> {
  if (readStoreSetting(home) !== null)
    throw new CountersignError(
      'CS_GATES',
      'this home uses a store on PostgreSQL already; to join another, choose a new home with `--home`',
    )
  if (!existsSync(home.store)) return
  const { store } = await openHomeStore(home, { crypto: openCrypto(home) })
  try {
    const open = await store.calls({ state: OPEN_STATES, limit: 1, unsealed: true })
    if (open.length > 0)
      throw refusal('calls of this home are still waiting or running; decide them or let them expire, then join')
  } finally {
    await store.close()
  }
}

function refusal(message: string): CountersignError {
  return new CountersignError('CS_GATES', message)
}
