import { renameSync } from 'node:fs'
import { sep } from 'node:path'
import { asCountersignError } from '@countersign/core'
import { type ConfigFile, deleteConfigFile, type Home, readConfigFile, replaceConfigFile } from '@countersign/node'
import type { HostName } from '../contract/host-name.ts'
import { removeHostSetup } from '../sessions/host-setup.ts'
import { removeFolders } from './apply-setup.ts'
import { withoutOurs } from './edit-file.ts'
import { AGENTS } from './hosts/agents.ts'
import { readHookLine } from './hosts/hook-line.ts'
import { type PlanOptions, planSetup } from './plan-setup.ts'
import { dropRecord, findRecord, keepRecord, readRecords, type UndoRecord } from './undo-records.ts'

/** How one file is taken back. */
export interface UndoPlan {
  readonly record: UndoRecord
  /** Null if it no longer exists. */
  readonly file: ConfigFile | null
  /** Null for no file. */
  readonly after: string | null
  readonly how: /** As it was, byte for byte. */
    | 'restored'
    /** The person edited it since: only our entries go. */
    | 'edited'
    /** Nothing is known of what it was: only our entries go. */
    | 'unrecorded'
    /** Ours alone, but the person edited it: it gets another name that the agent does not read. */
    | 'set aside'
    /** The person deleted it. */
    | 'gone'
    /** Nothing is done, for this reason. */
    | { readonly problem: string }
}

/** Plans to undo what `init` wrote, for these agents or for all. */
export function planUndo(home: Home, hosts: readonly HostName[] | null): readonly UndoPlan[] {
  return readRecords(home)
    .filter(({ host }) => hosts === null || hosts.includes(host))
    .map(planOne)
}

/** Files with hooks of ours that no record knows, such as after the home was lost. */
export function planStray(hosts: readonly HostName[] | null, options: Omit<PlanOptions, 'scope'>): readonly UndoPlan[] {
  const agents = AGENTS.filter(({ name }) => hosts === null || hosts.includes(name))
  return (['user', 'project'] as const).flatMap((scope) =>
    agents.flatMap((agent) => {
      const found = { agent, program: null, version: null, inProject: false }
      return planSetup(found, { ...options, scope, within: [] }).files.flatMap(({ host, kind, file, before }) =>
        file === null || readHookLine(file.text)?.host !== host || findRecord(options.home, file.path) !== undefined
          ? []
          : [{ record: strayRecord(host, kind, file), file, after: before, how: 'unrecorded' as const }],
      )
    }),
  )
}

function strayRecord(host: HostName, kind: UndoRecord['kind'], { path, text }: ConfigFile): UndoRecord {
  return { host, path, kind, before: text, after: text, folders: [], at: 0 }
}

function planOne(record: UndoRecord): UndoPlan {
  try {
    const file = readConfigFile(record.path) ?? null
    if (file === null) return { record, file, after: null, how: 'gone' }
    if (file.text === record.after) return { record, file, after: record.before, how: 'restored' }
    if (record.kind === 'own') return { record, file, after: null, how: 'set aside' }
    return { record, file, after: withoutOurs(file.text, record, record.host, record.before), how: 'edited' }
  } catch (error) {
    const { message } = asCountersignError(error, 'CS_CLIENT_CONFIG', `\`${record.path}\` can’t be read`)
    return { record, file: null, after: null, how: { problem: message } }
  }
}

/** Carries out one plan. Throws CS_STALE if the file changed since, CS_CLIENT_CONFIG if it can't be written. */
export function applyUndo({ record, file, after, how }: UndoPlan, home: Home): void {
  if (typeof how === 'object') return
  // SECURITY: A27 the path itself, which may have become a link to any file.
  if (file !== null && how === 'set aside') renameSync(record.path, `${record.path}.edited`)
  else if (file !== null && after === null) deleteConfigFile(file)
  else if (file !== null && after !== null && after !== file.text) replaceConfigFile(file, after)
  // Another file's undoing may have left its folders to this one.
  const { folders } = findRecord(home, record.path) ?? record
  dropRecord(home, record.path)
  removeFolders(folders)
  leaveFolders(folders, home)
  if (!readRecords(home).some(({ host }) => host === record.host)) removeHostSetup(home, record.host)
}

/** Folders that still hold another file of ours are removed with that one. */
function leaveFolders(folders: readonly string[], home: Home): void {
  const [outermost] = folders
  if (outermost === undefined) return
  const heir = readRecords(home).find(({ path }) => path.startsWith(`${outermost}${sep}`))
  if (heir === undefined) return
  const above = folders.filter((folder) => heir.path.startsWith(`${folder}${sep}`))
  keepRecord(home, { ...heir, folders: [...new Set([...above, ...heir.folders])] })
}
