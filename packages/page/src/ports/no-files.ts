import { CountersignError, type Places, type Ports } from '@countersign/core'

/** Folders that a policy could name. Nothing is in them. */
export const NO_PLACES: Places = { workspace: '/page', home: '/none/home', gate: '/none/gate', temp: '/none/temp' }

const WHY = 'a page has no files'

/**
 * The ports of a machine, in a page: there are no files, programs or sandbox. A path leads nowhere that is known, so no rule
 * for a folder lets a call run.
 */
export const NO_FILES: Pick<Ports, 'targets' | 'backups' | 'programs' | 'sandbox' | 'files'> = {
  targets: {
    resolve: () => Promise.reject(unknownPath()),
    program: () => undefined,
    look: () => Promise.reject(unknownPath()),
    readText: async () => undefined,
    readEntry: () => Promise.reject(unknownPath()),
    facts: () => Promise.reject(unknownPath()),
    list: () => undefined,
    tree: () => Promise.reject(unknownPath()),
  },
  backups: {
    measure: async () => ({ kind: 'impossible', why: WHY }),
    keep: () => Promise.reject(new CountersignError('CS_BACKUP', `${WHY}; approve the call without a copy`)),
    readText: async () => undefined,
    note: async () => {},
  },
  programs: {
    answer: () =>
      Promise.reject(new CountersignError('CS_CHECK_BLOCKED', 'a page runs no programs; remove the checker')),
  },
  sandbox: {
    status: () => ({ kind: 'missing', why: 'a page has no sandbox', fix: 'run commands with a gate on the machine' }),
  },
  files: {
    now: () => Date.now(),
    watch: async () => ({ since: Date.now(), changed: async () => ({ kind: 'files', files: [] }) }),
    changedSince: async () => ({ kind: 'files', files: [] }),
    installedSince: async () => ({ folders: [], until: 0 }),
    states: async () => [],
  },
}

function unknownPath(): CountersignError {
  return new CountersignError('CS_TARGET', WHY)
}
