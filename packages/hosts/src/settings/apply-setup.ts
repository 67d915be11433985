import { mkdirSync, rmdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { CountersignError } from '@countersign/core'
import { createConfigFile, type Home, replaceConfigFile, systemCode } from '@countersign/node'
import { writeHostSetup } from '../sessions/host-setup.ts'
import { type AgentPlan, isChange, type PlannedFile, realPlace } from './plan-setup.ts'
import { keepRecord } from './undo-records.ts'

/**
 * Writes the planned files of an agent. Throws CS_STALE if one changed since it was planned, CS_CLIENT_CONFIG if it can't be
 * written; those before it are written then.
 */
export function applySetup({ found, files, setup }: AgentPlan, home: Home, now: number): void {
  writeHostSetup(home, found.agent.name, setup)
  for (const file of files) if (isChange(file)) applyFile(file, home, now)
}

/** Writes one planned file. INVARIANT: the undo record is on the disk before the file changes. */
export function applyFile(planned: PlannedFile, home: Home, now: number): void {
  const { host, kind, file, after, before, mode } = planned
  const path = file?.path ?? realPlace(planned.path)
  const folders = file === null ? makeFolders(dirname(path)) : []
  const takeBack = keepRecord(home, { host, path, kind, before, after, folders, at: now })
  try {
    if (file === null) createConfigFile({ path, text: after, mode })
    else replaceConfigFile(file, after)
  } catch (error) {
    takeBack()
    removeFolders(folders)
    throw error
  }
}

/** Makes the missing folders of a path; returns them, outermost first. */
function makeFolders(folder: string): readonly string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return []
  try {
    const above = makeFolders(dirname(folder))
    mkdirSync(folder, { mode: 0o700 })
    return [...above, folder]
  } catch (error) {
    if (error instanceof CountersignError) throw error
    const why = `it can't be created (${systemCode(error) ?? 'unknown'})`
    throw new CountersignError('CS_CLIENT_CONFIG', `\`${folder}\`: ${why}; check the permissions of the folder above`, {
      cause: error,
    })
  }
}

/** Removes folders that are empty, innermost first. */
export function removeFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed())
    try {
      rmdirSync(folder)
    } catch (error) {
      if (systemCode(error) !== 'ENOENT' && systemCode(error) !== 'ENOTEMPTY' && systemCode(error) !== 'EEXIST')
        throw error
    }
}
