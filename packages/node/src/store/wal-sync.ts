import { closeSync, fdatasync, fdatasyncSync, fstatSync, openSync } from 'node:fs'

/** Less than the 50 ms promised: the sync itself takes time. */
const DELAY_MS = 35

/**
 * Brings commits that did not wait for the disk onto it, within 50 ms. It has a descriptor of its own on the
 * write-ahead log, which SQLite neither locks nor replaces while a connection is open.
 */
export class WalSync {
  readonly #path: string
  #fd: number | undefined
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #dirty = false
  /** Set once and for good: after a failed sync nobody knows what the disk has. */
  failed: unknown

  constructor(databaseFile: string) {
    this.#path = `${databaseFile}-wal`
  }

  /** A commit went by without a sync. */
  touch(): void {
    this.#dirty = true
    if (this.#timer !== undefined || this.#running !== undefined) return
    this.#timer = setTimeout(() => this.#start(), DELAY_MS)
    this.#timer.unref()
  }

  /** SQLite itself has just synced everything before. */
  clean(): void {
    this.#dirty = false
  }

  /** Syncs what is left and lets go of the log. Throws when it could not. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#running
    try {
      if (this.#dirty && this.failed === undefined) fdatasyncSync(this.#open())
    } finally {
      if (this.#fd !== undefined) closeSync(this.#fd)
      this.#fd = undefined
    }
  }

  #start(): void {
    this.#timer = undefined
    if (!this.#dirty) return
    this.#dirty = false
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#running = promise
    const end = (error: unknown): void => {
      if (error !== null && error !== undefined) this.failed ??= error
      this.#running = undefined
      if (this.#dirty && this.failed === undefined) this.touch()
      resolve()
    }
    try {
      fdatasync(this.#open(), end)
    } catch (error) {
      end(error)
    }
  }

  #open(): number {
    if (this.#fd !== undefined && fstatSync(this.#fd).nlink === 0) {
      closeSync(this.#fd)
      this.#fd = undefined
    }
    this.#fd ??= openSync(this.#path, 'r+')
    return this.#fd
  }
}
