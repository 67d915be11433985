import { canonicalJson } from '../../call/json/canonical.ts'
import type { Backups } from '../../ports/backups.ts'
import type { Crypto } from '../../ports/crypto.ts'
import type { Targets } from '../../ports/targets.ts'
import { diffTexts, type TextDiff } from '../diff/hunks.ts'
import { endNotes } from '../edits/changed-file.ts'
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

/** What is left out is not seen by approving, and the person is told so. */
const PARTIAL = 'not shown in full: approving does not mark it as seen'

/** One changed file, compared with what was seen last; the whole file where that is not available. */
export async function unseenFile(
  file: ChangedFile,
  workspace: string,
  sources: DiffSources,
): Promise<UnseenFilePreview> {
  const { path, content, agent, kind, seen } = file
  const plain = { kind: 'diff', path, content, agent, hunks: [], added: 0, removed: 0, folded: 0 } as const
  const part = (change: UnseenFilePreview['change'], note: string): UnseenFilePreview => ({
    ...plain,
    change,
    notes: [note, PARTIAL],
    whole: false,
  })
  if (content.startsWith('until:'))
    return part('overwrite', `${countedWords(Number(file.mark), 'file')} of installed code changed`)
  const before = await textBefore(file, workspace, sources)
  const change = kind === 'deleted' ? 'delete' : seen === 'absent' ? 'create' : 'overwrite'
  if (kind === 'deleted')
    return before === undefined
      ? part(change, 'its content is not available')
      : { ...plain, change, ...shownDiff(diffTexts(before, ''), []) }
  // What a link leads to is not shown.
  if (content.startsWith('link:')) return part(change, `a link to ${content.slice('link:'.length)}`)
  const after = await textOr(() => sources.targets.readText(path, workspace, MOST_BYTES))
  if (after === undefined) return part(change, 'it is not text, or too large to show')
  // SECURITY: A7 text that was read at another time is not the content that is marked.
  if (sources.crypto.sha256(after) !== content) return part(change, 'it changed while this diff was made')
  const unknown = before === undefined ? ['what you saw last is not available; the whole file is shown'] : []
  const ends = endNotes(before, after)
  return { ...plain, change, ...shownDiff(diffTexts(before ?? '', after), [...unknown, ...ends]) }
}

function shownDiff(diff: TextDiff, notes: readonly string[]): TextDiff & Pick<UnseenFilePreview, 'whole'> {
  const whole = diff.folded === 0
  // Unlike the diff of a call, this one has no arguments with the rest.
  const left = diff.notes.map((note) => note.replace('; see the full arguments', ''))
  return { ...diff, notes: [...notes, ...left, ...(whole ? [] : [PARTIAL])], whole }
}

/** The text that was seen last. SECURITY: a copy with any other content could hide a change from the diff. */
async function textBefore(
  { path, seen, backup }: ChangedFile,
  workspace: string,
  { backups, crypto }: DiffSources,
): Promise<string | undefined> {
  if (seen === 'absent') return ''
  if (seen === null || backup === null) return undefined
  const text = await textOr(() => backups.readText(backup, `${workspace}/${path}`, MOST_BYTES))
  return text !== undefined && crypto.sha256(text) === seen ? text : undefined
}

async function textOr(read: () => Promise<string | undefined> | undefined): Promise<string | undefined> {
  try {
    return await read()
  } catch {
    return undefined
  }
}
