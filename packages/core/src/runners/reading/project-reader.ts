import type { Clock } from '../../ports/clock.ts'
import type { Crypto } from '../../ports/crypto.ts'
import { answerOr, type MaybePromise } from '../../ports/maybe-promise.ts'
import type { PendingFiles, Repositories, RepositoryLinks, WorkTreeStates } from '../../ports/repositories.ts'
import type { TargetFacts, Targets, TargetText } from '../../ports/targets.ts'
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
  readonly targets: Pick<Targets, 'resolve' | 'readEntry' | 'facts' | 'list'> & Partial<Pick<Targets, 'look'>>
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

/** How many folders above one are looked at. */
const MAX_ABOVE = 16

const ABSENT: Reading = { kind: 'absent' }

/** A name in a folder, with nothing that a file system could read in another way. */
const PLAIN_NAME = /^(?!\.{1,2}$)[\w.@+-]{1,128}$/

/**
 * Reads files of one workspace for one call: bounded, each file once, never through a link that leads out of the
 * workspace. Remembers what it read, so that the files can be bound to the decision.
 */
export class ProjectReader {
  readonly #ports: ReaderPorts
  readonly #workspace: string
  readonly #home: string | undefined
  readonly #ends: number
  readonly #known = new Map<string, Promise<Reading | 'link'>>()
  readonly #resolved = new Map<string, MaybePromise<string | null>>()
  readonly #listed = new Map<string, Promise<readonly string[] | null>>()
  readonly #links = new Map<string, Promise<RepositoryLinks | null>>()
  readonly #files = new Map<string, SeenFile>()
  readonly #used = new Set<string>()
  readonly #absent = new Set<string>()
  readonly #folders = new Set<string>()
  #count = 0
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

  /** A folder and those above it, up to the workspace. */
  upwards(folder: string): readonly string[] {
    const folders: string[] = []
    for (let at = folder; this.isInside(at) && folders.length < MAX_ABOVE; at = at.slice(0, at.lastIndexOf('/')))
      folders.push(at)
    return folders
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
    const name = path.slice(path.lastIndexOf('/') + 1)
    const isPlain = PLAIN_NAME.test(name) && !path.startsWith('~')
    const above = isPlain ? await this.#resolve('.', folderAbove(path, folder)) : null
    const found = above !== null && this.isInside(above) ? await this.#readOnce(`${above}/${name}`) : 'link'
    if (found !== 'link') return found
    const real = await this.#resolve(path, folder)
    if (real === null) return opaque(`\`${path}\` can’t be read`)
    if (!this.isInside(real)) return opaque(`\`${path}\` is outside the workspace`)
    const reading = await this.#readOnce(real)
    return reading === 'link' ? opaque(`\`${path}\` changed while it was read`) : reading
  }

  /** Reads a settings file of the person or the machine, wherever it is. It is not bound: no call may change it unasked. */
  async readPersons(path: string, folder: string): Promise<Reading> {
    const own = path.startsWith('~/') && this.#home !== undefined ? `${this.#home}${path.slice(1)}` : path
    const real = await this.#resolve(own, folder)
    if (real === null) return opaque(`\`${path}\` can’t be read`)
    const entry = await this.#entry(real, READ_LIMITS.fileBytes)
    if (entry?.type === 'absent') return ABSENT
    const text = entry?.type === 'file' ? entry.text : undefined
    return text === undefined ? opaque(`\`${path}\` can’t be read`) : { kind: 'file', real, shown: real, text }
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

  /** What leads out of a repository; null if that can’t be told. */
  async links(folder: string): Promise<RepositoryLinks | null> {
    if (this.#isSpent()) return null
    return once(this.#links, folder, async () => {
      const found = await answerOr(() => this.#ports.repositories?.links(folder), undefined)
      return listed(found?.repositories) === null || listed(found?.links) === null ? null : (found ?? null)
    })
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
    return once(this.#listed, real, () => this.#list(real))
  }

  /** Where a path leads, resolved once per call: what is read is bound by its real path. */
  #resolve(path: string, folder: string): MaybePromise<string | null> {
    this.#looks++
    if (this.#isSpent() || path === '' || path.includes('\0')) return null
    return once(this.#resolved, `${folder}\0${path}`, () =>
      answerOr(() => this.#ports.targets.resolve(path, folder), null),
    )
  }

  async #list(real: string): Promise<readonly string[] | null> {
    const entries = await answerOr(() => this.#ports.targets.list(real, '/', READ_LIMITS.names), undefined)
    return Array.isArray(entries) && entries.every((one) => typeof one?.name === 'string')
      ? entries.map(({ name, type }) => (type === 'directory' ? `${name}/` : name))
      : null
  }

  #isSpent(): boolean {
    return this.#looks > READ_LIMITS.looks || this.#ports.clock.monotonic() > this.#ends
  }

  #entry(real: string, maxBytes: number): MaybePromise<TargetText | undefined> {
    return answerOr(() => this.#ports.targets.readEntry(real, maxBytes), undefined)
  }

  #readOnce(real: string): Promise<Reading | 'link'> {
    return once(this.#known, real, () => this.#read(real))
  }

  async #read(real: string): Promise<Reading | 'link'> {
    const shown = this.shown(real)
    const left = READ_LIMITS.bytes - this.#bytes
    const isFull = this.#count >= READ_LIMITS.files || this.#isSpent()
    const entry = await this.#entry(real, isFull ? 0 : Math.min(left, READ_LIMITS.fileBytes))
    if (entry?.type === 'link') return 'link'
    if (entry?.type === 'absent') {
      this.#absent.add(real)
      return ABSENT
    }
    if (entry !== undefined && entry.type !== 'file') return this.#unread(real, `\`${shown}\` is not a plain file`)
    const { bytes = 0, text } = entry ?? {}
    if (bytes > READ_LIMITS.fileBytes) return this.#unread(real, `\`${shown}\` is larger than 1 MiB`)
    if (isFull || bytes > left) return opaque('it runs more files than are read')
    if (typeof text !== 'string') return this.#unread(real, `\`${shown}\` is not text, or changed while it was read`)
    this.#count++
    this.#bytes += text.length
    this.#files.set(real, { path: real, sha256: this.#ports.crypto.sha256(text) })
    return { kind: 'file', real, shown, text }
  }

  #unread(real: string, why: string): Reading {
    if (this.#files.size < READ_LIMITS.files) this.#files.set(real, { path: real, sha256: null })
    return opaque(why)
  }
}

/** The folder of a path, as it is written. */
function folderAbove(path: string, folder: string): string {
  const end = path.lastIndexOf('/')
  if (path.startsWith('/')) return path.slice(0, end) || '/'
  const named = path.slice(0, Math.max(0, end)).replace(/^\.(?:\/|$)/, '')
  return named === '' ? folder : `${folder}/${named}`
}

/** The answer to a question that is asked once. */
function once<Answer>(known: Map<string, Answer>, key: string, ask: () => Answer): Answer {
  const before = known.get(key)
  if (before !== undefined) return before
  const answer = ask()
  known.set(key, answer)
  return answer
}

function listed(paths: unknown): readonly string[] | null {
  return Array.isArray(paths) && paths.every((path) => typeof path === 'string') ? paths : null
}

function opaque(why: string): Reading {
  return { kind: 'opaque', why }
}
