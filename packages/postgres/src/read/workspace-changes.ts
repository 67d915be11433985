import { count, countOrNull, type WorkspaceChanges } from '@countersign/core'
import type { Answer, Statement } from '../connection/client.ts'
import type { Table } from '../schema/schema.ts'
import { changeOf } from './rows.ts'
import { stored, text, textOrNull } from './values.ts'

/** Reads the changed files of a workspace: its scope, files and unrecorded calls. */
export function workspaceStatements(table: Table, workspace: string): readonly Statement[] {
  const of = (name: string, more: string): Statement => ({
    name,
    text: `SELECT * FROM ${table(name)} WHERE workspace = $1 ${more}`,
    values: [stored(workspace)],
  })
  return [of('unseen_scope', ''), of('changed_file', 'ORDER BY path'), of('unrecorded', 'ORDER BY since, call')]
}

export function workspaceChangesOf(workspace: string, answers: readonly Answer[]): WorkspaceChanges {
  const [scopes, files, unrecorded] = answers.map(({ rows }) => rows)
  const scope = scopes?.[0]
  return {
    files: (files ?? []).map(changeOf),
    unrecorded: (unrecorded ?? []).map((row) => ({
      workspace,
      call: text(row, 'call'),
      agent: text(row, 'agent'),
      since: count(row, 'since'),
    })),
    everything: scope === undefined ? null : textOrNull(scope, 'everything'),
    installedSince: scope === undefined ? null : countOrNull(scope, 'installedSince'),
  }
}

/** Reads the workspaces with changed files. */
export function workspacesStatement(table: Table): Statement {
  const each = ['changed_file', 'unrecorded', 'unseen_scope'].map((name) => `SELECT workspace FROM ${table(name)}`)
  return { text: `${each.join(' UNION ')} ORDER BY 1`, values: [] }
}
