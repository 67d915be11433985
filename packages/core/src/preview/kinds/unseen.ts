import type { Backups } from '../../ports/backups.ts'
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
}

/** The first changed files, each compared with what was seen last. */
export async function unseenPreview(
  { everything, files }: { readonly everything: string | null; readonly files: readonly ChangedFile[] },
  workspace: string,
  sources: DiffSources,
): Promise<UnseenPreview> {
  const shown: UnseenFilePreview[] = []
  for (const file of files.slice(0, MOST_FILES)) shown.push(await unseenFile(file, workspace, sources))
  return { everything, files: shown, more: files.length - shown.length }
}

/** One changed file, compared with what was seen last; the whole file where that is not available. */
export async function unseenFile(
  file: ChangedFile,
  workspace: string,
  { targets, backups }: DiffSources,
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
    return { ...lost, change: 'delete' }
  }
  const change = seen === 'absent' ? 'create' : 'overwrite'
  if (content.startsWith('link:')) return { ...plain, change, notes: [`a link to ${content.slice(5)}`] }
  const after = await textOr(() => targets.readText(path, workspace, MOST_BYTES))
  if (after === undefined) return { ...plain, change, notes: ['it is not text, or too large to show'] }
  const diff = diffTexts(before ?? '', after)
  const unknown = before === undefined ? ['what you saw last is not available; the whole file is shown'] : []
  return { ...plain, ...diff, change, notes: [...unknown, ...diff.notes] }
}

async function textOr(read: () => Promise<string | undefined> | undefined): Promise<string | undefined> {
  try {
    return await read()
  } catch {
    return undefined
  }
}
