import {
  type Approver,
  CountersignError,
  type Crypto,
  digestOf,
  draftEntry,
  firstGateList,
  followGateLists,
  type GateBoard,
  type GateKeys,
  type GateList,
  type GateListChange,
  gateKeysOf,
  type ListedGate,
  nextGateList,
  readGateList,
  type SignedGateList,
  type Signer,
  writeGateList,
} from '@countersign/core'
import { readApprovers, watchApprovers, writeApprovers } from '../approvers/approver-registry.ts'
import { readOwnFile, replaceOwnFile } from '../files/private-file.ts'
import type { Home } from '../home/home.ts'
import { withHomeLock } from '../home/lock.ts'
import { openRedactionKey, openSealKey, writeSharedKeys } from '../keys/home-keys.ts'
import { type JoinAnswer, type JoiningGate, joinIdOf, makeJoinAnswer, openJoinRequest } from './join-messages.ts'

/** The list of gates of a shared store, as one home follows it. */
export interface FollowedGates {
  readonly keys: GateKeys
  list(): GateList
  /**
   * Reads newer versions, takes their approvers into this home, and adds to the list what was enrolled or removed here.
   * Cheap while nothing changed.
   * @throws CS_GATES if the list can't be trusted or this home's gate is no longer on it.
   */
  sync(): Promise<void>
  /** Admits the gate that asks to join with this code. Throws CS_GATES if none does. */
  admit(code: string): Promise<JoiningGate>
  /** Removes a gate: what it signs from now on doesn't count. False if it is not on the list. */
  remove(id: string): Promise<boolean>
}

/** What following the list needs. */
export interface FollowParts {
  readonly home: Home
  readonly board: GateBoard
  readonly crypto: Crypto
  readonly signer: Signer
  now(): number
  /** The size of the journal, read now. */
  journalSize(): Promise<number>
}

/** What this home keeps of the list. */
interface Kept {
  /** The newest version it has seen: an older one is refused. */
  readonly known: SignedGateList
  /** The approvers that its own file had when it last agreed with the list. */
  readonly approvers: readonly string[]
}

const MAX_BYTES = 8 * 1_048_576
/** Other gates may change the list at the same time. */
const ATTEMPTS = 20

/** Begins to share a store whose list is empty, with this home's own keys. False if another gate was faster. */
export async function beginSharing(parts: FollowParts, name: string): Promise<boolean> {
  const { home, board, signer, crypto } = parts
  const approvers = readApprovers(home)
  const first = firstGateList({ name, addedAt: parts.now() }, approvers, signer)
  let newest = first
  if (!(await addVersion(first, parts))) {
    newest = followGateLists(await board.listsAfter(0), undefined, crypto)
    // This home may have begun before, and died before it kept the list.
    if (newest.list.journal !== first.list.journal) return false
  }
  writeSharedKeys(home, { seal: openSealKey(home), redaction: openRedactionKey(home) })
  withHomeLock(home, () => keepNewer(home, newest, approvers))
  return true
}

/** Takes part in a store that other gates share, as their answer to this home's request says. */
export async function takePart(parts: FollowParts, { keys, list: digest }: JoinAnswer): Promise<void> {
  const { home, board, crypto } = parts
  const stored = await board.listsAfter(0)
  // SECURITY: the digest came with the code: whoever can write the database could have made another list.
  const end = stored.findIndex((text) => crypto.sha256(text) === digest)
  if (end < 0) throw untrusted('the list of gates in the store is not the one that was agreed on; join again')
  const agreed = followGateLists(stored.slice(0, end + 1), undefined, crypto)
  writeSharedKeys(home, keys)
  withHomeLock(home, () => {
    writeApprovers(home, agreed.list.approvers)
    keepNewer(home, agreed, agreed.list.approvers)
  })
}

/** Follows the list from what this home knows of it. */
export async function followGates(parts: FollowParts): Promise<FollowedGates> {
  const { home, board, crypto, signer, now } = parts
  const first = readKept(home)
  if (first === undefined)
    throw untrusted('this home shares no store yet; run `countersign gates join` with the address of the store')
  let { known } = first
  const file = watchApprovers(home)
  /** The state in which this home's approvers and the list were last seen to agree. */
  let agreed: { readonly version: number; readonly file: readonly Approver[] } | undefined
  let syncing: Promise<void> | undefined

  /** The newest version. */
  async function follow(): Promise<SignedGateList> {
    const stored = await board.listsAfter(known.list.version)
    // INVARIANT: a list never gets older. An older one is a restored backup, or another server.
    if (board.version() < known.list.version)
      throw untrusted(
        `this home knows version ${known.list.version} of the list of gates, but the store has version ${board.version()}; connect to the right server`,
      )
    known = followGateLists(stored, known, crypto)
    if (stored.length > 0) withHomeLock(home, () => keepNewer(home, known))
    const own = known.list.gates.find(({ id }) => id === signer.keyId)
    if (own === undefined || own.removedAfter !== null)
      throw untrusted('this machine was removed from the list of gates; to ask again, run `countersign gates join`')
    return known
  }

  async function change(make: (list: GateList) => GateListChange | undefined): Promise<SignedGateList> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const newest = await follow()
      const wanted = make(newest.list)
      if (wanted === undefined) return newest
      const next = nextGateList(newest, wanted, Math.max(now(), newest.list.at), { signer, crypto })
      if (await addVersion(next, parts, newest.list)) return follow()
    }
    throw new CountersignError('CS_GATES', 'other machines keep changing the list of gates; try again')
  }

  async function syncNow(): Promise<void> {
    const mine = file()
    const base = readKept(home)?.approvers ?? []
    const newest = await change((list) => changeOfApprovers(list, mine, base))
    withHomeLock(home, () => {
      if (file() !== mine) return // what was enrolled or removed meanwhile is for the next turn
      if (!isSameApprovers(mine, newest.list.approvers)) writeApprovers(home, newest.list.approvers)
      keepNewer(home, newest, newest.list.approvers)
      agreed = { version: newest.list.version, file: file() }
    })
  }

  async function sync(): Promise<void> {
    if (agreed?.version === board.version() && agreed.file === file()) return
    syncing ??= syncNow().finally(() => {
      syncing = undefined
    })
    return syncing
  }

  await sync()
  return Object.freeze({
    keys: gateKeysOf(() => known),
    list: () => known.list,
    sync,
    async admit(code: string) {
      const asked = await board.asked(joinIdOf(code))
      if (asked === undefined)
        throw untrusted('no machine asks to join with this code; check it, or run `countersign gates join` there again')
      const gate = openJoinRequest(code, asked.request)
      const added: ListedGate = { ...gate, addedAt: now(), removedAfter: null }
      const list = await change(({ gates }) => {
        const before = gates.find(({ id }) => id === gate.id)
        if (before === undefined) return { gates: [...gates, added] }
        if (before.removedAfter === null) return undefined
        throw untrusted('this machine was removed before; it can join with a new home, which has a new key')
      })
      const keys = { seal: openSealKey(home), redaction: openRedactionKey(home) }
      const answer = makeJoinAnswer(code, asked.request, { keys, list: digestOf(list, crypto) })
      if (await board.answer(joinIdOf(code), answer)) return gate
      throw untrusted('the request has expired or was answered; run `countersign gates join` there again')
    },
    async remove(id: string) {
      const size = await parts.journalSize()
      let isFound = false
      await change(({ gates }) => {
        isFound = gates.some((one) => one.id === id && one.removedAfter === null)
        if (!isFound) return undefined
        return { gates: gates.map((one) => (one.id === id ? { ...one, removedAfter: size } : one)) }
      })
      return isFound
    },
  })
}

/** What this home's file of approvers adds to the list and removes from it, since both agreed. */
function changeOfApprovers(
  { approvers, removedApprovers }: GateList,
  mine: readonly Approver[],
  agreed: readonly string[],
): GateListChange | undefined {
  const [listed, removed] = [new Set(approvers.map(({ id }) => id)), new Set(removedApprovers)]
  const own = new Set(mine.map(({ id }) => id))
  const added = mine.filter(({ id }) => !listed.has(id) && !removed.has(id))
  const gone = agreed.filter((id) => !own.has(id) && listed.has(id))
  if (added.length === 0 && gone.length === 0) return undefined
  return {
    approvers: [...approvers.filter(({ id }) => !gone.includes(id)), ...added],
    removedApprovers: [...removedApprovers, ...gone],
  }
}

function isSameApprovers(one: readonly Approver[], other: readonly Approver[]): boolean {
  return one.length === other.length && one.every(({ id }, at) => other[at]?.id === id)
}

function addVersion(next: SignedGateList, { board, crypto, now }: FollowParts, before?: GateList): Promise<boolean> {
  const { version, gates, approvers, removedApprovers, by } = next.list
  const isNew = (id: string, known: readonly { readonly id: string }[] = []) => !known.some((one) => one.id === id)
  const text = writeGateList(next)
  const body = {
    kind: 'gates-changed',
    call: null,
    version,
    list: crypto.sha256(text),
    by,
    gates: gates.filter(({ id }) => isNew(id, before?.gates)).map(({ id }) => id),
    removed: gates
      .filter(
        (one) =>
          one.removedAfter !== null && before?.gates.some((old) => old.id === one.id && old.removedAfter === null),
      )
      .map(({ id }) => id),
    approvers: approvers.filter(({ id }) => isNew(id, before?.approvers)).map(({ id }) => id),
    'removed-approvers': removedApprovers.slice(before?.removedApprovers.length ?? 0),
  } as const
  return board.addList({ version, text }, draftEntry(body, now(), crypto))
}

/** The newest version of the list that a home knows, as it is stored; undefined if it shares no store. */
export function knownList(home: Home): string | undefined {
  const kept = readKept(home)
  return kept === undefined ? undefined : writeGateList(kept.known)
}

function readKept(home: Home): Kept | undefined {
  const text = readOwnFile(home.gates, MAX_BYTES, 'CS_GATES')
  if (text === undefined) return undefined
  try {
    const { version, list, approvers } = JSON.parse(text) as { version?: unknown; list?: unknown; approvers?: unknown }
    const isWhole = version === 1 && typeof list === 'string' && Array.isArray(approvers)
    if (isWhole && approvers.every((one) => typeof one === 'string')) return { known: readGateList(list), approvers }
  } catch {
    // Falls through: invalid JSON and a malformed list are the same damage.
  }
  throw untrusted(`\`${home.gates}\` is damaged; restore it from a backup, or join again`)
}

/** Keeps a version unless a newer one is kept. The caller has the home's lock. */
function keepNewer(home: Home, known: SignedGateList, agreed?: readonly Approver[]): void {
  const kept = readKept(home)
  if (kept !== undefined && kept.known.list.version > known.list.version) return
  const approvers = agreed?.map(({ id }) => id) ?? kept?.approvers ?? []
  replaceOwnFile(home.gates, `${JSON.stringify({ version: 1, list: writeGateList(known), approvers })}\n`)
}

function untrusted(message: string): CountersignError {
  return new CountersignError('CS_GATES', message)
}
