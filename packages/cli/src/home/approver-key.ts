import { userInfo } from 'node:os'
import { type Approver, CountersignError, draftEntry, publicFields, redactText, safeText } from '@countersign/core'
import {
  approverKeyState,
  type Home,
  type LocalApprover,
  loadApprover,
  makeRecoveryCodes,
  openApprover,
  openCrypto,
  openSqliteStore,
  systemClock,
} from '@countersign/node'
import type { Terminal } from '../terminal/controlling-terminal.ts'

/** The local approver key, still locked. */
export interface LocalKey {
  /** Protected by a passphrase. */
  readonly sealed: boolean
  /** Resolves once a key that was just created is in the journal; await it before the key signs. */
  readonly recorded: Promise<void>
  /** Unlocks the key for one decision. Throws CS_PASSPHRASE if the passphrase is missing or wrong. */
  open(passphrase?: string): LocalApprover
}

/** A terminal to show recovery codes on. */
type Writable = Pick<Terminal, 'write'>

/**
 * The local approver key. Created on first use, with a note about its trust tier, and with recovery codes if a terminal is
 * passed. SECURITY: A2 only commands that agents cannot run pass one: the terminal of `exec` may be an agent's own.
 */
export function localKey(home: Home, tell: (line: string) => void, terminal?: Writable | null): LocalKey {
  const state = approverKeyState(home)
  const recorded = state === 'absent' ? make(home, tell, terminal ?? null) : Promise.resolve()
  recorded.catch(() => {}) // whoever signs with the key gets the error
  return {
    sealed: state === 'sealed',
    recorded,
    open(passphrase) {
      const found = loadApprover(home, passphrase === undefined ? {} : { passphrase })
      if (found !== undefined) return found
      throw new CountersignError('CS_KEY', 'the approver key has been moved away; decide again to create a new one')
    },
  }
}

/** A key that is already unlocked. */
export function openedKey(approver: LocalApprover): LocalKey {
  return { sealed: false, recorded: Promise.resolve(), open: () => approver }
}

function make(home: Home, tell: (line: string) => void, terminal: Writable | null): Promise<void> {
  const { approver } = openApprover(home, { name: accountName() })
  tell(`countersign: created an approver key for ${safeText(approver.name)} in ${safeText(home.keys)}`)
  tell('countersign: tier T1: any program running as you could use it; see SECURITY.md')
  tell('countersign: protect it with a passphrase: `countersign approvers seal`')
  if (terminal === null) tell('countersign: in case you lose it, make recovery codes: `countersign approvers codes`')
  else showRecoveryCodes(home, approver.id, terminal)
  return recordKeyMade(home, approver)
}

/** Records the enrolment of a local key with its public key, so that audits can check what it signs. */
export async function recordKeyMade(home: Home, approver: Approver): Promise<void> {
  const { id, name } = approver
  const crypto = openCrypto(home)
  const body = { kind: 'key-made', call: null, key: id, name: redactText(name, crypto), of: 'ed25519', surface: 'cli' }
  const entry = draftEntry({ ...body, ...publicFields(approver) }, systemClock.now())
  const store = await openSqliteStore(home.store, { crypto })
  await store.commit({ entries: [entry], durable: true }).finally(() => store.close())
}

/** SECURITY: A2 the codes are written to the terminal itself, never to stdout or stderr, so that no pipe can read them. */
export function showRecoveryCodes(home: Home, approver: string, terminal: Writable): void {
  const codes = makeRecoveryCodes(home, approver)
  const rows = [0, 2, 4, 6].map((at) => `    ${codes.slice(at, at + 2).join('   ')}`)
  const above =
    'Recovery codes, shown only now. Keep them outside this computer. If you lose your key or its passphrase,'
  const below = 'each works once with `countersign approvers recover`.'
  terminal.write(`\n${above}\n${below}\n\n${rows.join('\n')}\n\n`)
}

/** The name of the account. */
export function accountName(): string {
  try {
    return userInfo().username || 'local'
  } catch {
    return 'local' // an account without a name, as in some containers
  }
}
