import {
  assertNever,
  type FileChange,
  MOST_CHANGED_FILES,
  type RecordedChanges,
  type SeenContents,
} from '@countersign/core'
import type { Statement } from '../connection/client.ts'
import { stored, storedOrNull } from '../read/values.ts'
import type { Table } from '../schema/schema.ts'
import type { FileNote } from './rows-to-write.ts'

/** Notes about files, as statements in their order. Nothing here refuses a change. */
export function fileStatements(table: Table, note: FileNote): readonly Statement[] {
  switch (note.kind) {
    case 'unrecorded': {
      const { workspace, call, agent, since } = note.note
      const text =
        `INSERT INTO ${table('unrecorded')} AS known VALUES ($1, $2, $3, $4) ` +
        'ON CONFLICT (workspace, call) DO UPDATE SET since = least(known.since, excluded.since)'
      return [{ name: 'unrecorded', text, values: [stored(workspace), stored(call), stored(agent), since] }]
    }
    case 'changed':
      return recordStatements(table, note.note)
    case 'seen':
      return seenStatements(table, note.note)
    default:
      return assertNever(note)
  }
}

function recordStatements(table: Table, changes: RecordedChanges): readonly Statement[] {
  const workspace = stored(changes.workspace)
  const { everything, installedSince } = changes
  return [
    ...(changes.continues === true
      ? []
      : [
          {
            name: 'recorded',
            text: `DELETE FROM ${table('unrecorded')} WHERE workspace = $1 AND call = $2`,
            values: [workspace, stored(changes.call)],
          },
        ]),
    ...inRounds(changes.files).flatMap((files) =>
      HOWS.map((how) => ({ how, some: files.filter((file) => howOf(file) === how) }))
        .filter(({ some }) => some.length > 0)
        .map(({ how, some }) => changedStatement(table, changes, how, some)),
    ),
    ...(everything === null && installedSince === null
      ? []
      : [widenStatement(table, workspace, everything, installedSince)]),
    ...(changes.files.length === 0 ? [] : boundStatements(table, workspace)),
  ]
}

type How = 'changed' | 'seen' | 'restored'

const HOWS: readonly How[] = ['changed', 'seen', 'restored']

function howOf({ seen, restored }: FileChange): How {
  return seen ? 'seen' : restored === true ? 'restored' : 'changed'
}

/** The content a person saw last: of a file that was not recorded before, and of one that was. */
const SEEN: { readonly [how in How]: { readonly first: string; readonly later: string } } = {
  changed: { first: 'one.before', later: 'known.seen' },
  seen: { first: 'one.content', later: 'excluded.content' },
  restored: { first: "nullif(one.before, 'absent')", later: "nullif(known.seen, 'absent')" },
}

/**
 * Content that was never recorded was the person's own. INVARIANT: what a person saw last is kept through later changes.
 * What a call found before it ran may be the work of another call that is not recorded yet.
 */
function changedStatement(table: Table, changes: RecordedChanges, how: How, files: readonly FileChange[]): Statement {
  const text =
    `INSERT INTO ${table('changed_file')} AS known ` +
    `SELECT $1, one.path, one.kind, one.content, one.mark, ${SEEN[how].first}, one.backup, $2, $3, $4 ` +
    'FROM (SELECT path, kind, content, mark, backup, ' +
    `CASE WHEN EXISTS (SELECT 1 FROM ${table('unrecorded')} WHERE workspace = $1 AND call <> $2) THEN NULL ELSE before END AS before ` +
    'FROM unnest($5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[]) ' +
    'AS given (path, kind, content, mark, backup, before)) AS one ' +
    'WHERE one.content IS DISTINCT FROM one.before ' +
    `OR EXISTS (SELECT 1 FROM ${table('changed_file')} WHERE workspace = $1 AND path = one.path) ` +
    'ON CONFLICT (workspace, path) DO UPDATE SET kind = excluded.kind, content = excluded.content, mark = excluded.mark, ' +
    'call = excluded.call, agent = excluded.agent, at = excluded.at, ' +
    'backup = CASE WHEN known.seen = known.content THEN excluded.backup ELSE known.backup END, ' +
    `seen = ${SEEN[how].later}`
  const values = [
    stored(changes.workspace),
    stored(changes.call),
    stored(changes.agent),
    changes.at,
    files.map(({ path }) => stored(path)),
    files.map(({ kind }) => kind),
    files.map(({ content }) => stored(content)),
    files.map(({ mark }) => stored(mark)),
    files.map(({ backup }) => storedOrNull(backup)),
    files.map(({ before }) => storedOrNull(before)),
  ]
  return { name: `changed-${how}`, text, values }
}

/** One statement can't change a row twice: files of the same path follow each other. */
function inRounds<T extends { readonly path: string }>(files: readonly T[]): readonly (readonly T[])[] {
  const rounds: Map<string, T>[] = []
  for (const file of files) {
    const path = stored(file.path)
    let round = rounds.find((one) => !one.has(path))
    if (round === undefined) {
      round = new Map()
      rounds.push(round)
    }
    round.set(path, file)
  }
  return rounds.map((round) => [...round.values()])
}

/** Contents that were seen make room first, the oldest before others. Where that is not enough, all files count as unseen. */
function boundStatements(table: Table, workspace: string): readonly Statement[] {
  const files = table('changed_file')
  const over = `(SELECT count(*) - ${MOST_CHANGED_FILES} FROM ${files} WHERE workspace = $1)`
  const seen = `SELECT path FROM ${files} WHERE workspace = $1 AND seen = content ORDER BY at LIMIT greatest(0, ${over})`
  return [
    {
      name: 'bound-files',
      text: `DELETE FROM ${files} WHERE workspace = $1 AND path IN (${seen})`,
      values: [workspace],
    },
    {
      name: 'widen-files',
      text:
        `INSERT INTO ${table('unseen_scope')} AS known SELECT $1, 'too many files were changed', NULL WHERE ${over} > 0 ` +
        'ON CONFLICT (workspace) DO UPDATE SET everything = coalesce(known.everything, excluded.everything)',
      values: [workspace],
    },
    {
      name: 'drop-files',
      text: `DELETE FROM ${files} WHERE workspace = $1 AND ${over} > 0`,
      values: [workspace],
    },
  ]
}

function widenStatement(table: Table, workspace: string, everything: string | null, since: number | null): Statement {
  const text =
    `INSERT INTO ${table('unseen_scope')} AS known VALUES ($1, $2, $3) ON CONFLICT (workspace) DO UPDATE SET ` +
    'everything = coalesce(known.everything, excluded.everything), ' +
    '"installedSince" = least(known."installedSince", excluded."installedSince")'
  return { name: 'widen', text, values: [workspace, storedOrNull(everything), since] }
}

function seenStatements(table: Table, note: SeenContents): readonly Statement[] {
  const workspace = stored(note.workspace)
  const text =
    `INSERT INTO ${table('changed_file')} ` +
    "SELECT $1, path, 'written', content, mark, content, NULL, $2, '', $3 FROM unnest($4::text[], $5::text[], $6::text[]) " +
    'AS one (path, content, mark) ON CONFLICT (workspace, path) DO UPDATE SET ' +
    'content = excluded.content, mark = excluded.mark, seen = excluded.seen, backup = NULL'
  const scope = table('unseen_scope')
  return [
    ...inRounds(note.files).map((files) => ({
      name: 'seen',
      text,
      values: [
        workspace,
        stored(note.call),
        note.at,
        files.map(({ path }) => stored(path)),
        files.map(({ content }) => stored(content)),
        files.map(({ mark }) => stored(mark)),
      ],
    })),
    ...(note.installedUntil === undefined
      ? []
      : [
          {
            text: `UPDATE ${scope} SET "installedSince" = $2 WHERE workspace = $1 AND "installedSince" <= $2`,
            values: [workspace, note.installedUntil],
          },
        ]),
    ...(note.everything === true
      ? [{ text: `UPDATE ${scope} SET everything = NULL WHERE workspace = $1`, values: [workspace] }]
      : []),
  ]
}
