import { existsSync, readdirSync, renameSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Approvers,
  CountersignError,
  type Crypto,
  type PolicyFile,
  type RulesFile,
  readRulesFile,
  rulesIn,
  type Store,
  verifyRules,
} from '@countersign/core'
import { withFileLock } from '../files/file-lock.ts'
import { openOwnFolder, readOwnFile, replaceOwnFile, syncFolder } from '../files/private-file.ts'
import type { Home } from '../home/home.ts'

const MAX_BYTES = 262_144
const PATIENCE_MS = 10_000

/** The file of rules that people change through the desk. */
export function rulesPath(home: Home): string {
  return join(home.policyFolder, '50-approvers.yaml')
}

/** The desk's file as a policy file: unreadable unless an enrolled approver signed exactly this text. SECURITY: A3. */
export async function signedOnly(
  file: PolicyFile,
  { approvers, crypto }: { readonly approvers: Approvers; readonly crypto: Pick<Crypto, 'sha256' | 'verify'> },
): Promise<PolicyFile> {
  if (file.unreadable !== undefined) return file
  const refuse = (why: string): PolicyFile => ({
    ...file,
    text: '',
    unreadable: `\`${file.name}\` has no valid signature: ${why}; review it with \`countersign policy sign\``,
  })
  const read = readRulesFile(file.text)
  if (read === null) return refuse('it has no signature')
  try {
    // No rules need no signature: they say as much as no file.
    if (rulesIn(read.rules).length === 0) return file
    await verifyRules(read.signed, read.rules, approvers, crypto)
    return file
  } catch (error) {
    return refuse(error instanceof CountersignError ? error.message : 'it cannot be verified')
  }
}

/** The desk's file with its versions, in the folder `rules` of the home. */
export function openRulesFile(
  home: Home,
  store: Pick<Store, 'head' | 'entries'>,
  crypto: Pick<Crypto, 'sha256'>,
  filesIn: RulesFile['filesIn'],
): RulesFile {
  const path = rulesPath(home)
  const folder = join(home.dir, 'rules')
  const pending = join(folder, 'pending')
  const versionPath = (seq: number): string => join(folder, `${seq}.yaml`)

  async function recover(): Promise<void> {
    const text = existsSync(pending) ? readOwnFile(pending, MAX_BYTES, 'CS_HOME') : undefined
    if (text === undefined) return
    const seq = readRulesFile(text)?.signed.seq
    if (seq !== undefined && (await isRecorded(store, crypto.sha256(text)))) finish(seq, text)
    else unlinkSync(pending)
  }

  function finish(seq: number, text: string): void {
    openOwnFolder(home.policyFolder, 'CS_HOME')
    replaceOwnFile(path, text)
    renameSync(pending, versionPath(seq))
    syncFolder(folder)
  }

  return {
    name: path,
    read: async () => readOwnFile(path, MAX_BYTES, 'CS_POLICY_READ') ?? null,
    past: async (seq) => readOwnFile(versionPath(seq), MAX_BYTES, 'CS_HOME') ?? null,
    newest: async () => {
      if (!existsSync(folder)) return 0
      const kept = readdirSync(folder).flatMap((name) => /^([1-9]\d{0,8})\.yaml$/.exec(name)?.[1] ?? [])
      return Math.max(0, ...kept.map(Number))
    },
    exclusively: (work) => {
      openOwnFolder(folder, 'CS_HOME')
      return withFileLock(join(folder, 'lock.db'), PATIENCE_MS, 'CS_HOME', async () => {
        await recover()
        return work()
      })
    },
    // The entry of the journal decides: before it, a crash leaves the old rules; after it, the next process finishes.
    async replace(seq, text, record) {
      replaceOwnFile(pending, text)
      await record()
      finish(seq, text)
    },
    filesIn,
  }
}

/** Completes or drops a change that another process left unfinished. Costs one look at a folder if there is none. */
export async function recoverRules(home: Home, file: RulesFile): Promise<void> {
  if (existsSync(join(home.dir, 'rules', 'pending'))) await file.exclusively(async () => undefined)
}

const PAGE = 1000

/** Whether the journal has the change that made this file. */
async function isRecorded(store: Pick<Store, 'head' | 'entries'>, hash: string): Promise<boolean> {
  const { size } = await store.head()
  for (let to = size; to > 0; to -= PAGE) {
    const page = await store.entries(Math.max(0, to - PAGE) + 1, to)
    if (page.length === 0) return false // archived; a change is never left unfinished that long
    if (page.some(({ line }) => line.includes('"kind":"policy-set"') && line.includes(hash))) return true
  }
  return false
}
