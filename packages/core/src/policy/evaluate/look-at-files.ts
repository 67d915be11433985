import type { CommandPart } from '../../command/model/decomposition.ts'
import type { Clock } from '../../ports/clock.ts'
import { answerOr } from '../../ports/maybe-promise.ts'
import type { Targets } from '../../ports/targets.ts'
import { actsOf } from '../../risk/acts/acts-of.ts'
import { isPlainSource } from '../../risk/acts/c-source.ts'
import { below, type FileAct } from '../../risk/acts/file-act.ts'
import { patchedFiles, strippedName } from '../../risk/acts/patch-names.ts'
import { destinationsOf } from '../../risk/acts/placing-acts.ts'
import { spelledPaths } from '../../risk/path/command-paths.ts'
import { BOUND_BYTES, type BoundFile, type FileLook } from '../../risk/path/file-look.ts'
import { folderOf, pathKey } from '../../risk/path/paths-to-resolve.ts'
import { madeMembers, unpackedName } from '../../risk/proof/archive-members.ts'
import { changesOf } from '../../risk/proof/command-changes.ts'
import type { PathChange } from '../../risk/proof/path-change.ts'
import type { Places } from '../model/circumstances.ts'
import type { GatheredPath } from './gather-circumstances.ts'

/** INVARIANT: L10, what is looked at for one call. What is not looked at is not proven. */
const LIMITS = { looks: 512, names: 2_000, inFolder: 1_000, patch: 1024 * 1024, milliseconds: 1_000 }

type Ports = Pick<Targets, 'resolve' | 'facts' | 'list' | 'look' | 'readText'> & Partial<Pick<Targets, 'members'>>

export interface LookedAt {
  readonly looks: ReadonlyMap<string, FileLook>
  readonly named: readonly GatheredPath[]
  readonly bound: readonly BoundFile[]
}

/** Whether a part may change files that its words name. */
export function mayChange(part: CommandPart): boolean {
  return actsOf(part) !== undefined || spelledPaths(part).some(({ use }) => use === 'write')
}

/** Looks at the files that the parts of a command change or copy. */
export async function lookAtFiles(
  parts: readonly CommandPart[],
  call: { readonly cwd: string },
  places: Places,
  targets: Ports,
  clock: Pick<Clock, 'monotonic'>,
): Promise<LookedAt> {
  const looker = new Looker(call.cwd, places.home, targets, clock)
  for (const [index, part] of parts.entries()) {
    if (part.cwd === null) continue
    if (part.cwd !== '') await looker.look('.', part.cwd)
    for (const { use, lookup, glob } of spelledPaths(part))
      if (use === 'write' && lookup !== null && !glob) await looker.look(lookup, part.cwd)
    for (const act of actsOf(part) ?? []) await lookAtAct(act, part.cwd, looker, parts, index)
  }
  return looker
}

async function lookAtAct(
  act: FileAct,
  cwd: string,
  looker: Looker,
  parts: readonly CommandPart[],
  index: number,
): Promise<void> {
  switch (act.kind) {
    case 'file':
    case 'folder':
      await looker.look(act.path, cwd)
      return
    case 'convert':
      await looker.look(act.from, cwd)
      await looker.look(act.to, cwd)
      return
    case 'pack':
      await looker.look(act.from, cwd, true)
      return
    case 'prefix':
      await looker.lookForNames(act.path, cwd)
      return
    case 'place': {
      const from = await looker.look(act.from, cwd, act.whole)
      for (const to of destinationsOf(act)) await looker.look(to, cwd, from?.type === 'directory')
      return
    }
    case 'unpack': {
      await looker.look(act.archive, cwd)
      await looker.look(act.into, cwd)
      const made = madeMembers(parts, index, act.archive, looker.looks, spelledChanges(parts, looker.looks))
      const members = made === undefined ? await looker.lookInside(act.archive, act.format, cwd) : made
      for (const member of members ?? []) {
        const name = unpackedName(member, act.strip)
        if (name !== null) await looker.look(below(act.into, name), cwd)
      }
      return
    }
    case 'compile':
      for (const source of act.sources) await looker.lookAtSource(source, cwd)
      return
    case 'patch':
      for (const path of await patchTargets(act, cwd, looker))
        for (const one of [path, `${path}.orig`, `${path}.rej`]) await looker.look(one, cwd)
  }
}

/** What the parts change by their words. */
function spelledChanges(parts: readonly CommandPart[], looks: LookedAt['looks']): readonly PathChange[] {
  const located = parts.map((part) => ({
    part,
    paths: spelledPaths(part).map(({ use, lookup }) => ({
      use,
      given: lookup ?? '',
      at: lookup === null ? null : (looks.get(pathKey(lookup, part.cwd))?.real ?? null),
    })),
  }))
  return changesOf(located, looks)
}

async function patchTargets(
  { from, strip, original }: Extract<FileAct, { kind: 'patch' }>,
  cwd: string,
  looker: Looker,
): Promise<readonly string[]> {
  const text = 'text' in from ? from.text : await looker.lookAtPatch(from.file, cwd)
  const files = text === null ? null : patchedFiles(text)
  if (files === null) return []
  if (original !== null || strip === null) return original === null ? [] : [original]
  return files.flatMap(({ names }) => names.flatMap((name) => strippedName(name, strip) ?? []))
}

/** Looks at files once each, within the limits. */
class Looker implements LookedAt {
  readonly looks = new Map<string, FileLook>()
  readonly named: GatheredPath[] = []
  readonly bound: BoundFile[] = []
  readonly #callCwd: string
  readonly #home: string
  readonly #targets: Ports
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #ends: number
  #names = 0

  constructor(callCwd: string, home: string, targets: Ports, clock: Pick<Clock, 'monotonic'>) {
    this.#callCwd = callCwd
    this.#home = home
    this.#targets = targets
    this.#clock = clock
    this.#ends = clock.monotonic() + LIMITS.milliseconds
  }

  /** Looks at a path, and with `whole` at everything below it. */
  async look(path: string, cwd: string, whole = false): Promise<FileLook | null> {
    const key = pathKey(path, cwd)
    const known = this.looks.get(key)
    if (known !== undefined && (!whole || known.tree !== undefined || known.type !== 'directory')) return known
    if (this.looks.size >= LIMITS.looks || this.#isLate()) return null
    const folder = folderOf(cwd, this.#callCwd, this.#home)
    const { facts, resolve } = this.#targets
    const real = await answerOr(() => resolve(path, folder), null)
    const own = await answerOr(() => facts(path, folder), null)
    const there =
      real === null || own === null ? null : own.type === 'link' ? await answerOr(() => facts(real, '/'), null) : own
    if (real === null || own === null || there === null) return null
    const look: FileLook = {
      real,
      type: own.type,
      leadsTo: there.type,
      names: there.names ?? 1,
      ...(whole && own.type === 'directory' ? { tree: await this.#tree(real) } : {}),
    }
    this.looks.set(key, look)
    if (known === undefined) this.named.push({ given: path, cwd: folder, real })
    return look
  }

  /** Whether any name begins like this. */
  async lookForNames(path: string, cwd: string): Promise<void> {
    const at = path.lastIndexOf('/')
    const folder = at === -1 ? '.' : path.slice(0, at + 1)
    const where = await this.look(folder, cwd)
    const entries =
      where?.leadsTo === 'directory'
        ? await answerOr(() => this.#targets.list(where.real, '/', LIMITS.inFolder), undefined)
        : undefined
    if (where === null || entries === undefined) return
    const begin = path.slice(at + 1)
    const isFree = !entries.some(({ name }) => name.startsWith(begin))
    const real = `${where.real}/${begin}`
    this.looks.set(pathKey(path, cwd), { real, type: 'absent', leadsTo: 'absent', names: 1, isFree })
  }

  /** The text of a patch, bound to the call. */
  async lookAtPatch(path: string, cwd: string): Promise<string | null> {
    const look = await this.look(path, cwd)
    if (look === null || look.type !== 'file') return null
    const text = await this.#bound(look.real, () => this.#targets.readText(look.real, '/', LIMITS.patch))
    const patched = text === undefined ? null : patchedFiles(text)
    this.looks.set(pathKey(path, cwd), { ...look, patched })
    return text ?? null
  }

  /** A source that is compiled, bound to the call. */
  async lookAtSource(path: string, cwd: string): Promise<void> {
    const look = await this.look(path, cwd)
    if (look === null || look.type !== 'file') return
    const text = await this.#bound(look.real, () => this.#targets.readText(look.real, '/', LIMITS.patch))
    this.looks.set(pathKey(path, cwd), { ...look, isPlainSource: text !== undefined && isPlainSource(text) })
  }

  /** The members of an archive, bound to the call. */
  async lookInside(path: string, format: 'tar' | 'zip', cwd: string): Promise<readonly string[] | null> {
    const look = await this.look(path, cwd)
    const { members: read } = this.#targets
    if (look === null || look.type !== 'file' || read === undefined) return null
    const members = (await this.#bound(look.real, () => read(look.real, format, BOUND_BYTES))) ?? null
    this.looks.set(pathKey(path, cwd), { ...look, members })
    return members
  }

  /** What was read of a file, if it did not change meanwhile. */
  async #bound<T>(real: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
    const state = () => answerOr(() => this.#targets.look(real, '/', BOUND_BYTES), null)
    const before = await state()
    const found = await answerOr(read, undefined)
    const after = await state()
    if (before === null || before.content === 'unbound' || before.content !== after?.content) return undefined
    this.bound.push({ path: real, content: before.content })
    return found
  }

  async #tree(root: string): Promise<readonly string[] | null> {
    const found: string[] = []
    const folders = ['']
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      const at = folder === '' ? root : `${root}/${folder}`
      const entries = await answerOr(() => this.#targets.list(at, '/', LIMITS.inFolder), undefined)
      if (entries === undefined || this.#isLate()) return null
      this.#names += entries.length
      if (this.#names > LIMITS.names) return null
      for (const { name, type } of entries) {
        if (type !== 'file' && type !== 'directory') return null
        const path = folder === '' ? name : `${folder}/${name}`
        found.push(path)
        if (type === 'directory') folders.push(path)
      }
    }
    return found
  }

  #isLate(): boolean {
    return this.#clock.monotonic() > this.#ends
  }
}
