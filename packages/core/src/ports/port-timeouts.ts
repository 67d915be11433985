import { CountersignError, type ErrorCode } from '../errors.ts'
import type { Answer } from './maybe-promise.ts'
import type { PolicyFile } from './policy-files.ts'
import type { Ports } from './ports.ts'
import { within } from './timeout.ts'

const PATIENCE_MS = 30_000

/**
 * The same ports, none of which can keep a call waiting for ever. INVARIANT: L10 L3, a port that hangs is a port that
 * failed. Work that finishes late is not undone: a `started` without its effect is later reported as *unknown*.
 */
export function boundPorts(ports: Ports): Ports {
  const { clock, store, targets, approvers, policyFiles, heads, backups } = ports

  function bound<Args extends readonly unknown[], T>(
    code: ErrorCode,
    what: string,
    work: (...args: Args) => Promise<T>,
  ) {
    const message = tooSlow(what)
    return (...args: Args) => within(clock, PATIENCE_MS, code, message, work(...args))
  }

  /** The same for a port that may answer at once: what is there already cannot be late. */
  function boundAnswer<Args extends readonly unknown[], T>(
    code: ErrorCode,
    what: string,
    work: (...args: Args) => Answer<T>,
  ) {
    const message = tooSlow(what)
    return (...args: Args): Answer<T> => {
      const answer = work(...args)
      return isPromised(answer) ? within(clock, PATIENCE_MS, code, message, Promise.resolve(answer)) : answer
    }
  }

  return {
    ...ports,
    store: {
      commit: bound('CS_STORE_WRITE', 'the store', (change, beside) => store.commit(change, beside)),
      call: bound('CS_STORE_READ', 'the store', (id) => store.call(id)),
      calls: bound('CS_STORE_READ', 'the store', (query) => store.calls(query)),
      grants: bound('CS_STORE_READ', 'the store', () => store.grants()),
      counted: bound('CS_STORE_READ', 'the store', (session, name, from) => store.counted(session, name, from)),
      version: () => store.version(),
      head: bound('CS_STORE_READ', 'the store', () => store.head()),
      entries: bound('CS_STORE_READ', 'the store', (from, to) => store.entries(from, to)),
      entriesOf: bound('CS_STORE_READ', 'the store', (callId) => store.entriesOf(callId)),
      outlineOf: bound('CS_STORE_READ', 'the store', (callId, most) => store.outlineOf(callId, most)),
      spans: bound('CS_STORE_READ', 'the store', () => store.spans()),
      checkpoints: bound('CS_STORE_READ', 'the store', () => store.checkpoints()),
      saveCheckpoint: bound('CS_STORE_WRITE', 'the store', (size, note) => store.saveCheckpoint(size, note)),
      close: () => store.close(),
    },
    targets: {
      resolve: boundAnswer('CS_INTERNAL', 'the file system', (path, cwd) => targets.resolve(path, cwd)),
      program: boundAnswer('CS_INTERNAL', 'the file system', (name, cwd) => targets.program(name, cwd)),
      look: bound('CS_INTERNAL', 'the file system', (path, cwd, budget) => targets.look(path, cwd, budget)),
      readText: bound('CS_INTERNAL', 'the file system', (path, cwd, maxBytes) => targets.readText(path, cwd, maxBytes)),
      facts: bound('CS_INTERNAL', 'the file system', (path, cwd) => targets.facts(path, cwd)),
      tree: bound('CS_INTERNAL', 'the file system', (path, cwd, most, listed) => targets.tree(path, cwd, most, listed)),
    },
    approvers: {
      find: boundAnswer('CS_KEY', 'the list of approvers', (id) => approvers.find(id)),
      list: bound('CS_KEY', 'the list of approvers', () => approvers.list()),
      verifyPasskey: bound('CS_KEY', 'the check of a passkey', (approver, sha256, assertion) =>
        Promise.resolve(approvers.verifyPasskey?.(approver, sha256, assertion) ?? false),
      ),
    },
    policyFiles: {
      version: () => policyFiles.version(),
      read: bound('CS_POLICY_READ', 'the policy folder', async () => checkedFiles(await policyFiles.read())),
    },
    heads: {
      keep: bound('CS_HOME', 'the folder of heads', (note) => heads.keep(note)),
      kept: bound('CS_HOME', 'the folder of heads', () => heads.kept()),
    },
    backups: {
      measure: bound('CS_BACKUP', 'the folder of backups', (files, bounds) => backups.measure(files, bounds)),
      keep: bound('CS_BACKUP', 'the folder of backups', (id, files, bounds, ages) =>
        backups.keep(id, files, bounds, ages),
      ),
      note: bound('CS_BACKUP', 'the folder of backups', (name) => backups.note(name)),
    },
  }
}

function tooSlow(what: string): string {
  return `${what} did not answer within ${PATIENCE_MS / 1000} s; look at the machine and try again`
}

/** Whatever would be waited for, also what is no promise of this realm. */
function isPromised<T>(answer: Answer<T>): answer is Promise<T> {
  const mayBe = (typeof answer === 'object' && answer !== null) || typeof answer === 'function'
  return mayBe && 'then' in answer
}

/** SECURITY: A21 A23 a file that speaks for no known layer speaks for nobody, so none of them is believed. */
function checkedFiles(files: readonly PolicyFile[]): readonly PolicyFile[] {
  if (Array.isArray(files) && files.every(isPolicyFile)) return files
  throw new CountersignError('CS_POLICY_READ', 'the policy files were not read as files; check who provides them')
}

function isPolicyFile(file: unknown): file is PolicyFile {
  if (typeof file !== 'object' || file === null) return false
  const { layer, name, text, trusted, unreadable } = file as { readonly [field: string]: unknown }
  const isLayer = layer === 'managed' || layer === 'user' || layer === 'project'
  const isRead = unreadable === undefined || (typeof unreadable === 'string' && text === '')
  return isLayer && isRead && typeof name === 'string' && typeof text === 'string' && typeof trusted === 'boolean'
}
