import type { DatabaseSync } from 'node:sqlite'
import {
  count,
  countOrNull,
  MOST_CHANGED_FILES,
  type RecordedChanges,
  type SeenContents,
  type UnrecordedCall,
  type WorkspaceChanges,
} from '@countersign/core'
import { createStatementCache, type StatementCache } from './database-file.ts'
import { changeOf, text, textOrNull } from './row-mapping.ts'

/** Files that gated calls changed: the tables of store version 3. Writes inside a transaction that the caller began. */
export class FileChanges {
  readonly #statement: StatementCache

  constructor(db: DatabaseSync) {
    this.#statement = createStatementCache(db)
  }

  expect({ workspace, call, agent, since }: UnrecordedCall): void {
    const sql =
      'INSERT INTO unrecorded VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET since = min(since, excluded.since)'
    this.#statement(sql).run(workspace, call, agent, since)
  }

  record(changes: RecordedChanges): void {
    const { workspace, call, agent, at, files, everything, installedSince } = changes
    if (changes.continues !== true)
      this.#statement('DELETE FROM unrecorded WHERE workspace = ? AND call = ?').run(workspace, call)
    const known = this.#statement('SELECT 1 FROM changed_file WHERE workspace = ? AND path = ?')
    // Content that was never recorded was the person's own. INVARIANT: what a person saw last is kept through later changes.
    const upsert = this.#statement(
      'INSERT INTO changed_file VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT DO UPDATE SET ' +
        'kind = ?3, content = ?4, mark = ?5, call = ?8, agent = ?9, at = ?10, ' +
        'backup = CASE WHEN seen = content THEN ?7 ELSE backup END, ' +
        "seen = CASE ?11 WHEN 'seen' THEN ?4 WHEN 'restored' THEN nullif(seen, 'absent') ELSE seen END",
    )
    // What a call found before it ran may be the work of another call, which is not recorded yet.
    const others = this.#statement('SELECT 1 FROM unrecorded WHERE workspace = ? AND call <> ?').get(workspace, call)
    for (const { path, kind, content, mark, before: found, seen, backup, restored } of files) {
      const before = others === undefined ? found : null
      if (content === before && known.get(workspace, path) === undefined) continue
      const last = seen ? content : restored === true && before === 'absent' ? null : before
      const how = seen ? 'seen' : restored === true ? 'restored' : 'changed'
      upsert.run(workspace, path, kind, content, mark, last, backup, call, agent, at, how)
    }
    const why = everything ?? (this.#isOver(workspace) ? 'too many files were changed' : null)
    if (why !== null || installedSince !== null) this.#widen(workspace, why, installedSince)
  }

  see({ workspace, files, call, at, installedUntil, everything }: SeenContents): void {
    const sql =
      "INSERT INTO changed_file VALUES (?, ?, 'written', ?, ?, ?, NULL, ?, '', ?) ON CONFLICT DO UPDATE SET " +
      'content = excluded.content, mark = excluded.mark, seen = excluded.seen, backup = NULL'
    for (const { path, content, mark } of files)
      this.#statement(sql).run(workspace, path, content, mark, content, call, at)
    if (installedUntil !== undefined)
      this.#statement('UPDATE unseen_scope SET installedSince = ? WHERE workspace = ? AND installedSince <= ?').run(
        installedUntil,
        workspace,
        installedUntil,
      )
    if (everything === true)
      this.#statement('UPDATE unseen_scope SET everything = NULL WHERE workspace = ?').run(workspace)
  }

  /** Contents that were seen make room first, the oldest before others. */
  #isOver(workspace: string): boolean {
    const over = this.#count(workspace) - MOST_CHANGED_FILES
    if (over <= 0) return false
    const oldest = 'SELECT path FROM changed_file WHERE workspace = ?1 AND seen = content ORDER BY at LIMIT ?2'
    this.#statement(`DELETE FROM changed_file WHERE workspace = ?1 AND path IN (${oldest})`).run(workspace, over)
    return this.#count(workspace) > MOST_CHANGED_FILES
  }

  #count(workspace: string): number {
    return count(
      this.#statement('SELECT count(*) AS n FROM changed_file WHERE workspace = ?').get(workspace) ?? {},
      'n',
    )
  }

  #widen(workspace: string, why: string | null, installedSince: number | null): void {
    const sql =
      'INSERT INTO unseen_scope VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET everything = coalesce(everything, excluded.everything), ' +
      'installedSince = min(coalesce(installedSince, excluded.installedSince), coalesce(excluded.installedSince, installedSince))'
    this.#statement(sql).run(workspace, why, installedSince)
    // Single files say nothing more where all of them count.
    if (why !== null && this.#isOver(workspace))
      this.#statement('DELETE FROM changed_file WHERE workspace = ?').run(workspace)
  }

  of(workspace: string): WorkspaceChanges {
    const scope = this.#statement('SELECT * FROM unseen_scope WHERE workspace = ?').get(workspace)
    const files = this.#statement('SELECT * FROM changed_file WHERE workspace = ? ORDER BY path').all(workspace)
    const unrecorded = this.#statement('SELECT * FROM unrecorded WHERE workspace = ? ORDER BY since').all(workspace)
    return {
      files: files.map(changeOf),
      unrecorded: unrecorded.map((row) => ({
        workspace,
        call: text(row, 'call'),
        agent: text(row, 'agent'),
        since: count(row, 'since'),
      })),
      everything: scope === undefined ? null : textOrNull(scope, 'everything'),
      installedSince: scope === undefined ? null : countOrNull(scope, 'installedSince'),
    }
  }

  workspaces(): readonly string[] {
    const sql =
      'SELECT workspace FROM changed_file UNION SELECT workspace FROM unrecorded UNION SELECT workspace FROM unseen_scope ORDER BY 1'
    return this.#statement(sql)
      .all()
      .map((row) => text(row, 'workspace'))
  }
}
