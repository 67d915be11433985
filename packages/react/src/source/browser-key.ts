import { sha256 } from '../call/verified-view.ts'

/** This browser's approver key. The private key cannot be exported, not even by this page. */
export interface BrowserKey {
  /** The approver id: the first 16 hex digits of the public key's SHA-256. */
  readonly keyId: string
  /** Raw Ed25519 key in base64. */
  readonly publicKey: string
  /** Signs UTF-8 text; returns base64. */
  sign(message: string): Promise<string>
}

const DATABASE = 'countersign'
const STORE = 'keys'
const SLOT = 'approver'

/** Shown when the browser cannot create a key. */
const CANNOT_SIGN = 'this browser does not support Ed25519 keys; use a passkey or a newer browser'

/** Opens the non-extractable Ed25519 key in IndexedDB, or creates one. Rejects with a readable message. */
export async function openBrowserKey(): Promise<BrowserKey> {
  if (globalThis.crypto?.subtle === undefined)
    throw new Error('keys need https or localhost; open the inbox at such a URL')
  const database = await openDatabase()
  const found = await request<CryptoKeyPair | undefined>(read(database).get(SLOT))
  if (found !== undefined) return browserKey(found)
  const made = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']).catch((cause: unknown) => {
    throw new Error(CANNOT_SIGN, { cause })
  })) as CryptoKeyPair
  // If two tabs create a key at once, `add` succeeds in one, and both read that key.
  await request(write(database).add(made, SLOT)).catch(() => undefined)
  return browserKey((await request<CryptoKeyPair | undefined>(read(database).get(SLOT))) ?? made)
}

async function browserKey(pair: CryptoKeyPair): Promise<BrowserKey> {
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  return {
    keyId: sha256(raw).slice(0, 16),
    publicKey: toBase64(raw),
    async sign(message) {
      const bytes = new TextEncoder().encode(message)
      return toBase64(new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, bytes)))
    },
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(DATABASE, 1)
  opening.onupgradeneeded = () => void opening.result.createObjectStore(STORE)
  return request(opening)
}

function read(database: IDBDatabase): IDBObjectStore {
  return database.transaction(STORE, 'readonly').objectStore(STORE)
}

function write(database: IDBDatabase): IDBObjectStore {
  return database.transaction(STORE, 'readwrite').objectStore(STORE)
}

function request<T>(asked: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = (event) => {
      event.preventDefault()
      reject(asked.error)
    }
  })
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}
