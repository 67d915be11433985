import { asCountersignError, CountersignError, type ErrorCode } from '../errors.ts'
import type { Clock } from './clock.ts'
import type { MaybePromise } from './maybe-promise.ts'
import type { PolicyFile } from './policy-files.ts'
import type { Ports } from './ports.ts'
import type { Store } from './store.ts'
import { quietTelemetry } from './telemetry.ts'

const SETTLED = Promise.resolve()

/** Waits for work of the outside world, at most `ms`; then it throws `code`. `onLate` gets a value that came after that. */
export function within<T>(
  clock: Clock,
  ms: number,
  code: ErrorCode,
  message: string,
  work: Promise<T>,
  onLate: (value: T) => void = () => {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    let state: 'waiting' | 'answered' | 'late' = 'waiting'
    let cancel = () => {}
    work.then(
      (value) => {
        if (state === 'late') return onLate(value)
        state = 'answered'
        cancel()
        resolve(value)
      },
      (error) => {
        state = 'answered'
        cancel()
        reject(error)
      },
    )
    // Most work is done already or in the next microtask, and needs no timer.
    const wait = (): void => {
      if (state !== 'waiting') return
      cancel = clock.after(ms, () => {
        state = 'late'
        reject(new CountersignError(code, message))
      })
    }
    SETTLED.then(() => {
      if (state === 'waiting') SETTLED.then(wait)
    })
  })
}

const PORT_TIMEOUT_MS = 30_000

/**
 * The same ports with a timeout each. INVARIANT: L10 L3, a port that hangs has failed, and the call is refused. Work that
 * finishes late is not undone: a `started` without its effect is later reported as *unknown*.
 */
export function boundPorts(ports: Ports): Ports {
  const { clock, store, targets, approvers, policyFiles, heads, backups, sandbox, files, repositories } = ports
  const telemetry = ports.telemetry === undefined ? undefined : quietTelemetry(ports.telemetry)

  function bound<Args extends readonly unknown[], T>(
    code: ErrorCode,
    what: string,
    work: (...args: Args) => Promise<T>,
  ) {
    const message = tooSlow(what)
    return (...args: Args) => within(clock, PORT_TIMEOUT_MS, code, message, work(...args))
  }

  /** The same for a port that may answer immediately. */
  function boundAnswer<Args extends readonly unknown[], T>(
    code: ErrorCode,
    what: string,
    work: (...args: Args) => MaybePromise<T>,
  ) {
    const message = tooSlow(what)
    return (...args: Args): MaybePromise<T> => {
      const answer = work(...args)
      return isPromised(answer) ? within(clock, PORT_TIMEOUT_MS, code, message, Promise.resolve(answer)) : answer
    }
  }

  /** The same for the store, whose failures are counted. */
  function boundStore<Args extends readonly unknown[], T>(
    operation: keyof Store,
    code: ErrorCode,
    work: (...args: Args) => Promise<T>,
  ) {
    const answer = bound(code, 'the store', work)
    if (telemetry === undefined) return answer
    return async (...args: Args) => {
      try {
        return await answer(...args)
      } catch (error) {
        telemetry.problem({ kind: 'store-error', operation, code: asCountersignError(error, code, '').code })
        throw error
      }
    }
  }

  return {
    ...ports,
    ...(telemetry === undefined ? {} : { telemetry }),
    store: {
      commit: boundStore('commit', 'CS_STORE_WRITE', (change, beside) => store.commit(change, beside)),
      call: boundStore('call', 'CS_STORE_READ', (id) => store.call(id)),
      calls: boundStore('calls', 'CS_STORE_READ', (query) => store.calls(query)),
      grants: boundStore('grants', 'CS_STORE_READ', () => store.grants()),
      counted: boundStore('counted', 'CS_STORE_READ', (session, name, from) => store.counted(session, name, from)),
      changes: boundStore('changes', 'CS_STORE_READ', (workspace) => store.changes(workspace)),
      changedWorkspaces: boundStore('changedWorkspaces', 'CS_STORE_READ', () => store.changedWorkspaces()),
      version: () => store.version(),
      head: boundStore('head', 'CS_STORE_READ', () => store.head()),
      entries: boundStore('entries', 'CS_STORE_READ', (from, to) => store.entries(from, to)),
      entriesOf: boundStore('entriesOf', 'CS_STORE_READ', (callId) => store.entriesOf(callId)),
      outlineOf: boundStore('outlineOf', 'CS_STORE_READ', (callId, most) => store.outlineOf(callId, most)),
      spans: boundStore('spans', 'CS_STORE_READ', () => store.spans()),
      checkpoints: boundStore('checkpoints', 'CS_STORE_READ', () => store.checkpoints()),
      saveCheckpoint: boundStore('saveCheckpoint', 'CS_STORE_WRITE', (size, note) => store.saveCheckpoint(size, note)),
      close: () => store.close(),
    },
    targets: {
      resolve: boundAnswer('CS_INTERNAL', 'the file system', (path, cwd) => targets.resolve(path, cwd)),
      program: boundAnswer('CS_INTERNAL', 'the file system', (name, cwd) => targets.program(name, cwd)),
      look: bound('CS_INTERNAL', 'the file system', (path, cwd, budget) => targets.look(path, cwd, budget)),
      readText: bound('CS_INTERNAL', 'the file system', (path, cwd, maxBytes) => targets.readText(path, cwd, maxBytes)),
      readEntry: boundAnswer('CS_INTERNAL', 'the file system', (real, maxBytes) => targets.readEntry(real, maxBytes)),
      facts: boundAnswer('CS_INTERNAL', 'the file system', (path, cwd) => targets.facts(path, cwd)),
      list: boundAnswer('CS_INTERNAL', 'the file system', (path, cwd, most) => targets.list(path, cwd, most)),
      members: bound('CS_INTERNAL', 'the file system', (real, format, maxBytes) =>
        Promise.resolve(targets.members?.(real, format, maxBytes)),
      ),
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
      ...(policyFiles.parsed === undefined ? {} : { parsed: policyFiles.parsed }),
      ...(policyFiles.versions === undefined ? {} : { versions: policyFiles.versions }),
    },
    heads: {
      keep: bound('CS_HOME', 'the folder of heads', (note) => heads.keep(note)),
      kept: bound('CS_HOME', 'the folder of heads', () => heads.kept()),
    },
    backups: {
      measure: bound('CS_BACKUP', 'the folder of backups', (files, bounds, ages) =>
        backups.measure(files, bounds, ages),
      ),
      keep: bound('CS_BACKUP', 'the folder of backups', (id, files, bounds, ages) =>
        backups.keep(id, files, bounds, ages),
      ),
      readText: bound('CS_BACKUP', 'the folder of backups', (name, real, most) => backups.readText(name, real, most)),
      note: bound('CS_BACKUP', 'the folder of backups', (name) => backups.note(name)),
    },
    files: {
      now: (workspace) => files.now(workspace),
      watch: bound('CS_INTERNAL', 'the file system', (workspace) => files.watch(workspace)),
      changedSince: bound('CS_INTERNAL', 'the file system', (folder, since) => files.changedSince(folder, since)),
      installedSince: bound('CS_INTERNAL', 'the file system', (folder, since) => files.installedSince(folder, since)),
      states: bound('CS_INTERNAL', 'the file system', (folder, states) => files.states(folder, states)),
    },
    sandbox: { status: boundAnswer('CS_INTERNAL', 'the sandbox', () => sandbox.status()) },
    ...(repositories === undefined
      ? {}
      : {
          repositories: {
            pending: bound('CS_INTERNAL', 'git', (top, which) => repositories.pending(top, which)),
            tracked: bound('CS_INTERNAL', 'git', (top, patterns) => repositories.tracked(top, patterns)),
            between: bound('CS_INTERNAL', 'git', (top, states) => repositories.between(top, states)),
            links: bound('CS_INTERNAL', 'git', (folder) => repositories.links(folder)),
          },
        }),
  }
}

function tooSlow(what: string): string {
  return `${what} did not answer within ${PORT_TIMEOUT_MS / 1000} s; check the machine and try again`
}

/** Anything `await` would wait for, also a promise of another realm. */
function isPromised<T>(answer: MaybePromise<T>): answer is Promise<T> {
  const mayBe = (typeof answer === 'object' && answer !== null) || typeof answer === 'function'
  return mayBe && 'then' in answer
}

/** SECURITY: A21 A23 if one file has an unknown layer or form, none of them is believed. */
function checkedFiles(files: readonly PolicyFile[]): readonly PolicyFile[] {
  if (Array.isArray(files) && files.every(isPolicyFile)) return files
  throw new CountersignError(
    'CS_POLICY_READ',
    'the policy source did not return files; check the program that provides it',
  )
}

function isPolicyFile(file: unknown): file is PolicyFile {
  if (typeof file !== 'object' || file === null) return false
  const { layer, form, name, text, trusted, unreadable } = file as { readonly [field: string]: unknown }
  const isLayer = layer === 'managed' || layer === 'user' || layer === 'project'
  const isForm = form === undefined || form === 'knowledge'
  const isRead = unreadable === undefined || (typeof unreadable === 'string' && text === '')
  return (
    isLayer && isForm && isRead && typeof name === 'string' && typeof text === 'string' && typeof trusted === 'boolean'
  )
}
