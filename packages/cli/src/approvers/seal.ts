import { CountersignError, safeText } from '@countersign/core'
import { approverKeyState, type Home, openApprover, resealApprover } from '@countersign/node'
import { shortId } from '../arguments/ids.ts'
import { accountName, localKey, recordKeyMade, showRecoveryCodes } from '../home/approver-key.ts'
import { existingHome } from '../home/existing-home.ts'
import { LONGEST_PASSPHRASE, passphraseFd, readPassphrase, unlockWith } from '../home/unlock.ts'
import type { Terminal } from '../terminal/controlling-terminal.ts'
import { askHidden } from '../terminal/hidden-input.ts'
import { type Io, print, printJson } from '../terminal/io.ts'
import { sayText } from '../terminal/layout.ts'

const SHORTEST = 8
const OTHERWISE = 'the key is unchanged'
const SEALED = [
  'every decision now asks for the passphrase; if you forget it, `countersign approvers recover` makes a new key with a recovery code',
  'still tier T1: programs running as you cannot use this key, but could enroll their own or record what you type',
]
const COPIES = 'older copies of the key, for example in backups, still work without the passphrase'

interface SealFlags {
  readonly passphraseFd?: string
}

/** `approvers seal`: sets or changes the passphrase of the local key. */
export async function seal(flags: SealFlags, io: Io): Promise<void> {
  await withTerminal(flags, io, async (home, terminal) => {
    const before = approverKeyState(home)
    const current = before === 'sealed' ? await currentPassphrase(home, terminal, flags) : {}
    const next = await newPassphrase(terminal, flags)
    const { approver } =
      before === 'absent'
        ? openApprover(home, { name: accountName(), passphrase: next })
        : resealApprover(home, { ...current, next })
    if (before === 'absent') await recordKeyMade(home, approver)
    if (io.json) return printJson(io, { key: approver.id, sealed: true, tier: 'T1' })
    print(
      io,
      `${before === 'sealed' ? 'changed the passphrase of' : 'sealed'} ${shortId(approver.id)} in ${safeText(home.keys)}`,
    )
    if (before === 'absent' && terminal !== null) showRecoveryCodes(home, approver.id, terminal)
    for (const words of before === 'open' ? [...SEALED, COPIES] : SEALED) sayText(io, safeText(words))
  })
}

/** `approvers unseal`: removes the passphrase of the local key. */
export async function unseal(flags: SealFlags, io: Io): Promise<void> {
  await withTerminal(flags, io, async (home, terminal) => {
    if (approverKeyState(home) !== 'sealed')
      throw new CountersignError('CS_KEY', 'the local key has no passphrase; set one with `countersign approvers seal`')
    const { approver } = resealApprover(home, await currentPassphrase(home, terminal, flags))
    if (io.json) return printJson(io, { key: approver.id, sealed: false, tier: 'T1' })
    print(io, `unsealed ${shortId(approver.id)} in ${safeText(home.keys)}`)
    sayText(io, safeText('tier T1: any program running as you could use it'))
  })
}

async function withTerminal(
  { passphraseFd: fd }: SealFlags,
  io: Io,
  work: (home: Home, terminal: Terminal | null) => Promise<void>,
): Promise<void> {
  const home = existingHome(io)
  const terminal = fd === undefined ? io.terminal() : null
  if (terminal === null && fd === undefined)
    throw new CountersignError(
      'CS_NO_INTERFACE',
      'no terminal to ask for the passphrase; run this in one, or use `--passphrase-fd`',
    )
  try {
    await work(home, terminal)
  } finally {
    terminal?.close()
  }
}

async function currentPassphrase(home: Home, terminal: Terminal | null, { passphraseFd: fd }: SealFlags) {
  const key = localKey(home, () => {})
  const { passphrase } = await unlockWith(key, { terminal, fd, otherwise: OTHERWISE })
  return passphrase === undefined ? {} : { passphrase }
}

/** Reads a new passphrase: once from a file descriptor, or twice on the terminal. */
async function newPassphrase(terminal: Terminal | null, { passphraseFd: fd }: SealFlags): Promise<string> {
  if (terminal === null) return checked(readPassphrase(passphraseFd(fd ?? '')))
  terminal.write(`${SHORTEST} characters or more; your input is not shown\n`)
  const first = await askHidden(terminal, 'new passphrase: ', checked)
  if (first === null) throw given('no passphrase entered')
  const again = await askHidden(terminal, 'repeat it: ', (text) => text)
  if (again !== first) throw given(again === null ? 'no passphrase entered' : 'the passphrases do not match')
  return first
}

function checked(passphrase: string): string {
  if (Array.from(passphrase).length < SHORTEST) throw given(`the passphrase needs ${SHORTEST} characters or more`)
  if (Buffer.byteLength(passphrase) > LONGEST_PASSPHRASE)
    throw given(`the passphrase is longer than ${LONGEST_PASSPHRASE} bytes`)
  return passphrase
}

function given(what: string): CountersignError {
  return new CountersignError('CS_PASSPHRASE', `${what}; ${OTHERWISE}`)
}
