import type { Clock } from '../../ports/clock.ts'
import type { Crypto } from '../../ports/crypto.ts'
import { answerOr } from '../../ports/maybe-promise.ts'
import type { PendingFiles, Repositories, WorkTreeStates } from '../../ports/repositories.ts'
import type { TargetEntry, TargetFacts, Targets } from '../../ports/targets.ts'
import type { SeenFile } from './seen-through.ts'

/** INVARIANT: L10, what one call may read. Everything beyond it is opaque. */
export const READ_LIMITS = {
  files: 64,
  fileBytes: 1024 * 1024,
  bytes: 8 * 1024 * 1024,
  /** Paths that are looked at, read or not. */
  looks: 512,
  /** Names of one folder. */
  names: 1_000,
  milliseconds: 5_000,
} as const

/** What the reader needs of the world. */
export interface ReaderPorts {
  readonly targets: Pick<Targets, 'resolve' | 'readText' | 'facts' | 'list'> & Partial<Pick<Targets, 'look'>>
  readonly crypto: Pick<Crypto, 'sha256'>
  readonly clock: Pick<Clock, 'monotonic'>
  readonly repositories?: Repositories | undefined
}

/** A file of the project. `shown` is its path relative to the workspace. */
export interface ProjectFile {
  readonly kind: 'file'
  readonly real: string
  readonly shown: string
  readonly text: string
}

/** What is at a path: a file, nothing, or something that is not read and why. */
export type Reading = ProjectFile | { readonly kind: 'absent' } | { readonly kind: 'opaque'; readonly why: string }

const ABSENT: Reading = { kind: 'absent' }

/** A name in a folder, with nothing that a file system could read in another way. */
const PLAIN_NAME = /^(?!\.{1,2}$)[\w.@+-]{1,128}$/

interface FolderList {
  readonly real: string
  readonly entries: ReadonlyMap<string, TargetEntry['type']>
  readonly spellings: ReadonlySet<string>
}

function spelling(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

/**
 * Reads files of one workspace for one call: bounded, each file once, never through a link that leads out of the
 * workspace. Remembers what it read, so that the files can be bound to the decision.
 */
export class ProjectReader {
  readonly #ports: ReaderPorts
  readonly #workspace: string
  readonly #home: string | undefined
  readonly #ends: number
  readonly #known = new Map<string, Promise<Reading>>()
  readonly #asked = new Map<string, 'once' | FolderList | 'unknown'>()
  readonly #files = new Map<string, SeenFile>()
  readonly #used = new Set<string>()
  readonly #absent = new Set<string>()
  readonly #folders = new Set<string>()
  #read = 0
  #bytes = 0
  #looks = 0

  constructor(ports: ReaderPorts, workspace: string, home?: string) {
    this.#ports = ports
    this.#workspace = workspace
    this.#home = home
    this.#ends = ports.clock.monotonic() + READ_LIMITS.milliseconds
  }

  get files(): readonly SeenFile[] {
    return [...this.#files.values()].map((file) =>
      this.#used.has(file.path) || file.sha256 === null ? file : { ...file, consulted: true },
    )
  }

  get absent(): readonly string[] {
    return [...this.#absent]
  }

  get folders(): readonly string[] {
    return [...this.#folders]
  }

  /** Whether a real path is in the workspace. */
  isInside(real: string): boolean {
    return real === this.#workspace || real.startsWith(`${this.#workspace}/`)
  }

  /** The path as people know it. */
  shown(real: string): string {
    return this.isInside(real) && real !== this.#workspace ? real.slice(this.#workspace.length + 1) : real
  }

  /** The real path of something in the workspace; null if it is elsewhere or can't be resolved. */
  async resolve(path: string, folder: string): Promise<string | null> {
    const real = await this.#resolve(path, folder)
    return real !== null && this.isInside(real) ? real : null
  }

  /** What is at an absolute path, also outside of the workspace: nothing of it is read. */
  async typeOf(path: string): Promise<TargetFacts['type']> {
    const type = await this.changedType(path)
    if (type === 'absent') this.#absent.add(path)
    return type
  }

  /** The same for a path that the command itself may create. */
  async changedType(path: string): Promise<TargetFacts['type']> {
    this.#looks++
    if (this.#isSpent()) return 'other'
    const facts = await answerOr(() => this.#ports.targets.facts(path, '/'), undefined)
    return facts?.type ?? 'other'
  }

  async read(path: string, folder: string): Promise<Reading> {
    const reading = await this.consult(path, folder)
    if (reading.kind === 'file') this.#used.add(reading.real)
    return reading
  }

  /** Reads a file of which nothing is run or obeyed, unless it is read again: what it holds turns out not to matter. */
  async consult(path: string, folder: string): Promise<Reading> {
    const real = (await this.#listed(path, folder)) ?? (await this.#resolve(path, folder))
    if (real === null) return opaque(`\`${path}\` can’t be read`)
    if (real === 'absent') return ABSENT
    if (!this.isInside(real)) return opaque(`\`${path}\` is outside the workspace`)
    const known = this.#known.get(real)
    if (known !== undefined) return known
    const reading = this.#readOnce(real)
    this.#known.set(real, reading)
    return reading
  }

  /** Reads a settings file of the person or the machine, wherever it is. It is not bound: no call may change it unasked. */
  async readPersons(path: string, folder: string): Promise<Reading> {
    const own = path.startsWith('~/') && this.#home !== undefined ? `${this.#home}${path.slice(1)}` : path
    const real = await this.#resolve(own, folder)
    if (real === null) return opaque(`\`${path}\` can’t be read`)
    const { targets } = this.#ports
    const text = await answerOr(() => targets.readText(real, '/', READ_LIMITS.fileBytes), undefined)
    if (text !== undefined) return { kind: 'file', real, shown: real, text }
    return (await this.changedType(real)) === 'absent' ? ABSENT : opaque(`\`${path}\` can’t be read`)
  }

  /** The files of a work tree that differ from the index or are untracked; null if that can’t be told. */
  async pending(top: string, which: PendingFiles): Promise<readonly string[] | null> {
    if (this.#isSpent()) return null
    return listed(await answerOr(() => this.#ports.repositories?.pending(top, which), undefined))
  }

  /** The files in the index that patterns of git match; null if that can’t be told. */
  async tracked(top: string, patterns: readonly string[]): Promise<readonly string[] | null> {
    if (this.#isSpent()) return null
    return listed(await answerOr(() => this.#ports.repositories?.tracked(top, patterns), undefined))
  }

  /** The files that differ between states of a work tree; null if that can’t be told. */
  async between(top: string, states: WorkTreeStates): Promise<readonly string[] | null> {
    if (this.#isSpent()) return null
    return listed(await answerOr(() => this.#ports.repositories?.between(top, states), undefined))
  }

  /** Binds a file of which nothing is read here: when the call runs, it must be the same. False if that can't be done. */
  async bind(real: string): Promise<boolean> {
    const { targets } = this.#ports
    if (this.#isSpent() || this.#files.size >= READ_LIMITS.files) return false
    const state = await answerOr(() => targets.look?.(real, '/', READ_LIMITS.fileBytes), undefined)
    if (state === undefined || !/^[0-9a-f]{64}$/.test(state.content)) return false
    this.#files.set(real, { path: real, sha256: state.content })
    return true
  }

  /** The names in a folder, folders with a trailing slash; null if it can't be listed whole. */
  async names(path: string, folder: string): Promise<readonly string[] | null> {
    const real = await this.resolve(path, folder)
    if (real === null || this.#isSpent()) return null
    this.#folders.add(real)
    const entries = await this.#list(real)
    return entries?.map(({ name, type }) => (type === 'directory' ? `${name}/` : name)) ?? null
  }

  async #resolve(path: string, folder: string): Promise<string | null> {
    this.#looks++
    if (this.#isSpent() || path === '' || path.includes('\0')) return null
    return answerOr(() => this.#ports.targets.resolve(path, folder), null)
  }

  /**
   * Where a name in a folder leads, from a list of that folder, which is made once several names are looked for. Null if
   * the list does not tell: then the path is resolved.
   */
  async #listed(name: string, folder: string): Promise<string | 'absent' | null> {
    if (!PLAIN_NAME.test(name)) return null
    const asked = this.#asked.get(folder)
    if (asked === undefined) {
      this.#asked.set(folder, 'once')
      return null
    }
    const list = asked === 'once' ? await this.#listOnce(folder) : asked
    if (list === 'unknown' || this.#isSpent()) return null
    this.#looks++
    const type = list.entries.get(name)
    const at = `${list.real}/${name}`
    if (type === 'file') return at
    // Some file systems find a name by another spelling.
    if (type !== undefined || list.spellings.has(spelling(name))) return null
    this.#absent.add(at)
    return 'absent'
  }

  async #listOnce(folder: string): Promise<FolderList | 'unknown'> {
    const real = await this.resolve('.', folder)
    const entries = real === null ? null : await this.#list(real)
    const list =
      real === null || entries === null
        ? 'unknown'
        : {
            real,
            entries: new Map(entries.map(({ name, type }) => [name, type])),
            spellings: new Set(entries.map(({ name }) => spelling(name))),
          }
    this.#asked.set(folder, list)
    return list
  }

  async #list(real: string): Promise<readonly TargetEntry[] | null> {
    const entries = await answerOr(() => this.#ports.targets.list(real, '/', READ_LIMITS.names), undefined)
    return Array.isArray(entries) && entries.every((one) => typeof one?.name === 'string') ? entries : null
  }

  #isSpent(): boolean {
    return this.#looks > READ_LIMITS.looks || this.#ports.clock.monotonic() > this.#ends
  }

  async #readOnce(real: string): Promise<Reading> {
    const { targets, crypto } = this.#ports
    const shown = this.shown(real)
    const left = READ_LIMITS.bytes - this.#bytes
    const isFull = this.#read >= READ_LIMITS.files || this.#isSpent()
    const most = Math.min(left, READ_LIMITS.fileBytes)
    const text = isFull ? undefined : await answerOr(() => targets.readText(real, '/', most), undefined)
    if (text === undefined) return this.#reasonUnread(real, isFull, left)
    this.#read++
    this.#bytes += text.length
    this.#files.set(real, { path: real, sha256: crypto.sha256(text) })
    return { kind: 'file', real, shown, text }
  }

  async #reasonUnread(real: string, isFull: boolean, left: number): Promise<Reading> {
    const shown = this.shown(real)
    const facts = await answerOr(() => this.#ports.targets.facts(real, '/'), undefined)
    if (facts?.type === 'absent') {
      this.#absent.add(real)
      return ABSENT
    }
    if (facts?.type !== 'file') return this.#unread(real, `\`${shown}\` is not a plain file`)
    if (facts.bytes > READ_LIMITS.fileBytes) return this.#unread(real, `\`${shown}\` is larger than 1 MiB`)
    if (isFull || facts.bytes > left) return opaque('it runs more files than are read')
    return this.#unread(real, `\`${shown}\` is not text, or changed while it was read`)
  }

  #unread(real: string, why: string): Reading {
    if (this.#files.size < READ_LIMITS.files) this.#files.set(real, { path: real, sha256: null })
    return opaque(why)
  }
}

function listed(paths: unknown): readonly string[] | null {
  return Array.isArray(paths) && paths.every((path) => typeof path === 'string') ? paths : null
}

function opaque(why: string): Reading {
  return { kind: 'opaque', why }
}
