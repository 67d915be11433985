import { canonicalJson } from '../../call/json/canonical.ts'
import type { Backups } from '../../ports/backups.ts'
import type { Crypto } from '../../ports/crypto.ts'
import type { Targets } from '../../ports/targets.ts'
import { diffTexts } from '../diff/hunks.ts'
import type { UnseenFilePreview, UnseenPreview } from '../model/preview.ts'
import { countedWords } from '../targets/target-lookup.ts'

/** INVARIANT: L10, so many files are shown, and so much of each is read. */
const MOST_FILES = 20
const MOST_BYTES = 256 * 1024

/** A changed file that nobody has seen. */
export interface ChangedFile {
  readonly path: string
  readonly kind: 'written' | 'deleted' | 'moved'
  readonly content: string
  readonly mark: string
  /** The content seen last: `absent` for a new file, null if it is not known. */
  readonly seen: string | null
  readonly agent: string
  readonly backup: string | null
}

/** The places that diffs are read from. */
export interface DiffSources {
  readonly targets: Pick<Targets, 'readText'>
  readonly backups: Pick<Backups, 'readText'>
  readonly crypto: Pick<Crypto, 'sha256'>
}

/** The first changed files, each compared with what was seen last. */
export async function unseenPreview(
  { everything, files }: { readonly everything: string | null; readonly files: readonly ChangedFile[] },
  workspace: string,
  sources: DiffSources,
): Promise<UnseenPreview> {
  const shown: UnseenFilePreview[] = []
  for (const file of files.slice(0, MOST_FILES)) shown.push(await unseenFile(file, workspace, sources))
  const rest = files.slice(MOST_FILES)
  const more = { everything, files: shown, more: rest.length }
  return rest.length === 0 ? more : { ...more, rest: digestOf(rest, sources.crypto) }
}

/**
 * The first change that was not on a card with these; null if the card had all of them. INVARIANT: L5, approving a card
 * approves the code that was on it, and no other.
 */
export function changeNotShown(
  now: { readonly everything: string | null; readonly files: readonly Pick<ChangedFile, 'path' | 'content'>[] },
  shown: UnseenPreview | undefined,
  crypto: Pick<Crypto, 'sha256'>,
): string | null {
  if (now.everything !== null && shown?.everything == null) return 'the workspace'
  const known = new Map(shown?.files.map(({ path, content }) => [path, content]))
  const others = now.files.filter(({ path, content }) => known.get(path) !== content)
  const [first] = others
  if (first === undefined) return null
  return shown?.rest !== undefined && shown.rest === digestOf(others, crypto) ? null : first.path
}

function digestOf(files: readonly Pick<ChangedFile, 'path' | 'content'>[], crypto: Pick<Crypto, 'sha256'>): string {
  const pairs = files.map(({ path, content }) => [path, content]).toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))
  return crypto.sha256(canonicalJson(pairs))
}

/** One changed file, compared with what was seen last; the whole file where that is not available. */
export async function unseenFile(
  file: ChangedFile,
  workspace: string,
  { targets, backups, crypto }: DiffSources,
): Promise<UnseenFilePreview> {
  const { path, content, agent, kind, seen, backup } = file
  const plain = { kind: 'diff', path, content, agent, hunks: [], added: 0, removed: 0, folded: 0 } as const
  if (content.startsWith('until:')) {
    const notes = [`${countedWords(Number(file.mark), 'file')} of installed code changed; they are not shown`]
    return { ...plain, change: 'overwrite', notes }
  }
  const real = `${workspace}/${path}`
  const before =
    seen === 'absent'
      ? ''
      : await textOr(() => (backup === null ? undefined : backups.readText(backup, real, MOST_BYTES)))
  if (kind === 'deleted') {
    const lost =
      before === undefined
        ? { ...plain, notes: ['its content is not available'] }
        : { ...plain, ...diffTexts(before, '') }
    return { ...lost, change: 'delete', whole: true }
  }
  const change = seen === 'absent' ? 'create' : 'overwrite'
  if (content.startsWith('link:')) return { ...plain, change, notes: [`a link to ${content.slice(5)}`], whole: true }
  const after = await textOr(() => targets.readText(path, workspace, MOST_BYTES))
  if (after === undefined) return { ...plain, change, notes: ['it is not text, or too large to show'] }
  // SECURITY: A7 a file that changes between two reads would be approved with other content than is shown.
  if (crypto.sha256(after) !== content)
    return { ...plain, change, notes: ['it changed while it was read; it is not shown'] }
  const diff = diffTexts(before ?? '', after)
  const unknown = before === undefined ? ['what you saw last is not available; the whole file is shown'] : []
  return { ...plain, ...diff, change, notes: [...unknown, ...diff.notes], whole: diff.folded === 0 }
}

async function textOr(read: () => Promise<string | undefined> | undefined): Promise<string | undefined> {
  try {
    return await read()
  } catch {
    return undefined
  }
}
