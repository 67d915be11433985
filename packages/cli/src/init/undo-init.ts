import { resolve } from 'node:path'
import { safeText } from '@countersign/core'
import { loadSettings, type UndoPlan } from '@countersign/hosts'
import { openHome } from '@countersign/node'
import { type InitFlags, machineOf, onlyHosts } from '../agents/init-flags.ts'
import { planOptions } from '../agents/plan-options.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { openQuestions } from './questions.ts'
import { showChange } from './show-changes.ts'
import { tellFailed } from './tell-failed.ts'
import { findServiceManager, isInstalled, removeService } from './user-service.ts'

const { applyUndo, planStray, planUndo } = await loadSettings()

/** Undoes what `init` wrote: shows the changes, asks once, and restores the files. */
export async function undoInit(flags: InitFlags, io: Io): Promise<void> {
  const home = openHome(io.home === undefined ? undefined : resolve(io.cwd, io.home))
  const only = onlyHosts(flags)
  const plans = [...planUndo(home, only), ...planStray(only, planOptions(flags, home, io))]
  if (!io.json) for (const plan of plans) show(plan, io)
  const manager = only === null ? findServiceManager(machineOf(flags, io)) : null
  const isService = manager !== null && isInstalled(manager)
  if (isService && !io.json) print(io, safeText(`${manager.path}: removed, and the service stopped`))
  const isAny = plans.length > 0 || isService
  const agreed = isAny && flags.dryRun !== true && (flags.yes === true || (await isAgreed(io)))
  const undone = agreed ? plans.filter((plan) => isUndone(plan, () => applyUndo(plan, home), io)) : []
  const service = agreed && isService ? await removed(() => removeService(manager), io) : 'none'
  if (io.json)
    return printJson(io, {
      files: plans.map((plan) => ({
        agent: plan.record.host,
        path: plan.record.path,
        how: wordsFor(plan),
        undone: undone.includes(plan),
      })),
      service,
    })
  tell(plans, undone, flags, service, io)
}

function show(plan: UndoPlan, io: Io): void {
  const { record, file, after } = plan
  print(io, safeText(`${record.path}: ${wordsFor(plan)}`))
  if (file !== null) showChange(record.path, file.text, after, io)
}

function wordsFor({ how, record }: UndoPlan): string {
  if (typeof how === 'object') return `not changed: ${how.problem}`
  switch (how) {
    case 'restored':
      return record.before === null ? 'removed' : 'restored byte for byte'
    case 'edited':
      return 'you have edited it, so only the hooks are removed'
    case 'unrecorded':
      return 'its original content was not recorded, so only the hooks are removed'
    case 'set aside':
      return `you have edited it, so it is renamed to \`${record.path}.edited\``
    case 'gone':
      return 'already gone'
  }
}

async function isAgreed(io: Io): Promise<boolean> {
  const questions = io.json ? null : openQuestions(io)
  try {
    return questions !== null && (await questions.isYes('Remove the gate from these agents?'))
  } finally {
    questions?.close()
  }
}

function isUndone(plan: UndoPlan, undo: () => void, io: Io): boolean {
  if (typeof plan.how === 'object') {
    io.exit(EXIT.failed.code)
    return false
  }
  try {
    undo()
    return true
  } catch (error) {
    tellFailed(error, `\`${plan.record.path}\` can’t be restored`, io)
    return false
  }
}

async function removed(remove: () => Promise<void>, io: Io): Promise<'removed' | 'none'> {
  try {
    await remove()
    return 'removed'
  } catch (error) {
    tellFailed(error, 'the service can’t be removed; run `countersign stop`', io)
    return 'none'
  }
}

function tell(
  plans: readonly UndoPlan[],
  undone: readonly UndoPlan[],
  { dryRun }: InitFlags,
  service: 'removed' | 'none',
  io: Io,
): void {
  if (service === 'removed') say(io, 'the service no longer starts at login')
  if (plans.length === 0) {
    if (service === 'none') say(io, 'nothing to undo')
  } else if (undone.length > 0) {
    const rest = plans.length - undone.length
    const files = `${undone.length} ${undone.length === 1 ? 'file' : 'files'}`
    say(io, `${files} undone${rest === 0 ? '' : `, ${rest} not`}. Restart agents that are running.`)
  } else if (dryRun === true) say(io, 'nothing was changed (--dry-run)')
  else {
    say(io, 'nothing was changed; pass `--yes` to undo without asking')
    io.exit(EXIT.failed.code)
  }
}
