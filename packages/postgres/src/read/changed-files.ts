import type { WorkspaceChanges } from '@countersign/core'
import type { Answer, Statement } from '../connection/client.ts'
import type { Table } from '../schema/schema.ts'
import { changeOf } from './rows.ts'
import { count, countOrNull, stored, text, textOrNull } from './values.ts'

/** What has to be read to know the changed files of a workspace. */
export function changesStatements(table: Table, workspace: string): readonly Statement[] {
  const of = (name: string, more: string): Statement => ({
    name,
    text: `SELECT * FROM ${table(name)} WHERE workspace = $1 ${more}`,
    values: [stored(workspace)],
  })
  return [of('unseen_scope', ''), of('changed_file', 'ORDER BY path'), of('unrecorded', 'ORDER BY since, call')]
}

/** The answers to `changesStatements`. */
export function changesOf(workspace: string, [scopes, files, unrecorded]: readonly Answer[]): WorkspaceChanges {
  const scope = scopes?.rows[0]
  return {
    files: (files?.rows ?? []).map(changeOf),
    unrecorded: (unrecorded?.rows ?? []).map((row) => ({
      workspace,
      call: text(row, 'call'),
      agent: text(row, 'agent'),
      since: count(row, 'since'),
    })),
    everything: scope === undefined ? null : textOrNull(scope, 'everything'),
    installedSince: scope === undefined ? null : countOrNull(scope, 'installedSince'),
  }
}

/** Names of workspaces with changed files. */
export function changedWorkspaces(table: Table): Statement {
  const names = ['changed_file', 'unrecorded', 'unseen_scope'].map((name) => `SELECT workspace FROM ${table(name)}`)
  return { text: `${names.join(' UNION ')} ORDER BY 1`, values: [] }
}
