import { type Call, CountersignError, type Crypto, canonicalJson, type JsonObject } from '@countersign/core'
import type { Home } from '../home/home.ts'
import { applyUndo } from './apply-undo.ts'
import { spareBackup } from './prune.ts'
import { asRefs, type BackupRef, type UndoPlan, type UndoStep } from './undo-plan.ts'
import { namedSteps, pathFrom, restoredFiles, undoPreview } from './undo-preview.ts'

/** Maximum number of paths listed in the call. */
const MOST_NAMED = 1_000

/** An undo as an ordinary call: judged, held if needed, recorded, and with its own backup. */
export interface PreparedUndo {
  readonly call: Call & { readonly id: string }
  /** Restores the files, if the call still has the arguments that were shown and nothing changed since. */
  run(frozen: JsonObject): Promise<void>
}

/** Prepares a plan as a call; `isForced` also overwrites what was changed since. Its backups are kept until it has run. */
export function prepareUndo(
  plan: UndoPlan,
  given: BackupRef | readonly BackupRef[],
  {
    home,
    crypto,
    workspace,
    isForced = false,
  }: {
    readonly home: Home
    readonly crypto: Pick<Crypto, 'randomId' | 'sha256'>
    readonly workspace: string
    readonly isForced?: boolean
  },
): PreparedUndo {
  const refs = asRefs(given)
  refuseChanged(plan, isForced)
  for (const { name } of refs) spareBackup(home, name)
  const args = argsOf(plan, refs, workspace, crypto)
  const isDelete = plan.steps.some(({ does }) => does === 'remove')
  return {
    call: {
      id: crypto.randomId(),
      tool: 'undo',
      source: 'builtin',
      args,
      cwd: workspace,
      description: { kind: isDelete ? 'delete' : 'write', paths: plan.targets },
      preview: () => undoPreview(plan, home, workspace),
      restores: restoredFiles(plan, home),
      requiresConfirmation: true,
    },
    async run(frozen) {
      if (canonicalJson(frozen) !== canonicalJson(args))
        throw new CountersignError('CS_STALE', 'an undo can’t be edited; reject it and undo another call')
      await applyUndo(home, refs, plan)
    },
  }
}

/** Refuses to overwrite later changes without `--force`. */
function refuseChanged({ steps }: UndoPlan, isForced: boolean): void {
  const later = steps.find(({ since }) => since !== 'same')
  if (later === undefined || isForced) return
  const how = later.since === 'changed' ? 'was changed after the call' : 'may have changed after the call'
  throw new CountersignError('CS_STALE', `\`${later.path}\` ${how}; check it, then use \`--force\` to overwrite it`)
}

/** Binds a plan, so that another surface can ask for exactly what it showed. */
export function planHash(plan: UndoPlan, crypto: Pick<Crypto, 'sha256'>): string {
  return crypto.sha256(`countersign/undo/v1\0${JSON.stringify(plan)}`)
}

/** The arguments of the call. The hash binds every step, also those that are not named, and the copies. */
function argsOf(
  plan: UndoPlan,
  refs: readonly BackupRef[],
  workspace: string,
  crypto: Pick<Crypto, 'sha256'>,
): JsonObject {
  const paths = (isRemoved: boolean): readonly string[] =>
    namedSteps(plan)
      .filter(({ does }) => (does === 'remove') === isRemoved)
      .map(({ path }) => pathFrom(workspace, path))
  const copies = refs.map(({ name, manifest }) => `${name} ${manifest}`)
  const lists = { restore: paths(false).slice(0, MOST_NAMED), remove: paths(true).slice(0, MOST_NAMED) }
  return {
    calls: plan.calls,
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
    plan: crypto.sha256(`${planHash(plan, crypto)}\0${copies.join()}`).slice(0, 32),
  }
}

const DOES = { change: 'restore', 'bring-back': 'recreate', remove: 'remove' } as const
const SINCE = { same: '', changed: ', changed since', unknown: ', possibly changed since' } as const

/** One step in words: `restore /srv/app/a.txt`. */
export function stepWords({ does, path, type, since }: UndoStep): string {
  const what = type === 'file' ? '' : ` the ${type}`
  return `${DOES[does]}${what} ${path}${SINCE[since]}`
}
