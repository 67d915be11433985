import { CountersignError, type ErrorCode, safeText } from '@countersign/core'

/** The object stores. A row has the fields of the store port; `n` rises with the time it was added. */
export const TABLES = [
  'call',
  'sealed',
  'grant',
  'counter',
  'entry',
  'head',
  'span',
  'checkpoint',
  'unrecorded',
] as const

/** The version that this program writes. A newer store is refused, an older one updated. */
const VERSION = 1

/** Creates the object stores of version 1. */
function createTables(database: IDBDatabase): void {
  const calls = database.createObjectStore('call', { keyPath: 'n', autoIncrement: true })
  calls.createIndex('id', 'id', { unique: true })
  calls.createIndex('state', 'state')
  calls.createIndex('waiting', 'waiting')
  // Arguments are kept apart, so that lists are read without them.
  database.createObjectStore('sealed')
  database.createObjectStore('grant', { keyPath: 'n', autoIncrement: true }).createIndex('id', 'id', { unique: true })
  database.createObjectStore('counter', { keyPath: ['session', 'name', 'at'] })
  database.createObjectStore('entry', { keyPath: 'seq' }).createIndex('call', 'call')
  database.createObjectStore('head')
  database.createObjectStore('span', { keyPath: 'from' })
  database.createObjectStore('checkpoint', { keyPath: 'size' })
  database.createObjectStore('unrecorded', { keyPath: ['workspace', 'call'] })
  database.createObjectStore('secret')
}

const NO_STORAGE =
  'this browser does not let the page store data; allow site data, or leave private browsing, and reload'

/** Opens the database of a store. */
export function openStoreDatabase(name: string): Promise<IDBDatabase> {
  return openDatabase(name, VERSION, createTables)
}

/** Opens a database, or rejects with one line that says what to do. `upgrade` creates its object stores. */
export function openDatabase(
  name: string,
  version: number,
  upgrade: (database: IDBDatabase) => void,
): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const refuse = (code: ErrorCode, message: string, cause?: unknown): void =>
      reject(new CountersignError(code, message, { cause }))
    let opening: IDBOpenDBRequest
    try {
      opening = indexedDB.open(name, version)
    } catch (error) {
      return refuse('CS_STORE_OPEN', NO_STORAGE, error)
    }
    opening.onupgradeneeded = () => upgrade(opening.result)
    opening.onblocked = () =>
      refuse('CS_STORE_OPEN', 'another tab of this site runs an older version; close it and reload this page')
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => {
      const { error } = opening
      if (error?.name === 'VersionError')
        return refuse('CS_STORE_VERSION', 'the store belongs to a newer version of this page; reload the page', error)
      refuse('CS_STORE_OPEN', error?.name === 'QuotaExceededError' ? NO_SPACE : NO_STORAGE, error)
    }
  })
}

const NO_SPACE = 'the browser has no space left for this site; export the journal, then clear data of this site'

/** What IndexedDB threw, as one line that says what to do. Ours stay as they are. */
export function storeError(error: unknown, code: 'CS_STORE_READ' | 'CS_STORE_WRITE'): CountersignError {
  if (error instanceof CountersignError) return error
  const name = error instanceof DOMException ? error.name : ''
  const verb = code === 'CS_STORE_READ' ? 'read' : 'write'
  const why =
    name === 'QuotaExceededError'
      ? NO_SPACE
      : `cannot ${verb} the store of this page (${safeText(String(error)).slice(0, 200)}); reload the page`
  return new CountersignError(code, why, { cause: error })
}

/** Waits for a request of a transaction. Nothing else may be waited for while the transaction is open. */
export function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = (event) => {
      event.preventDefault() // whoever waits decides what becomes of the transaction
      reject(request.error)
    }
  })
}

/** Resolves once a transaction is complete, and rejects once it was aborted. */
export function completionOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new DOMException('it was aborted', 'AbortError'))
  })
}
