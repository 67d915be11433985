import {
  type CheckAnswer,
  type Checker,
  type CheckInput,
  changedTargets,
  compileNameGlob,
  compilePathGlob,
  type Places,
  toolLabel,
} from '@countersign/core'
import type { AgentTool } from '../tools/definition/agent-tool.ts'
import { toolFailure } from '../tools/definition/tool-failure.ts'
import { shownPath } from '../tools/definition/tool-path.ts'
import { boundHosts } from './allowed-hosts.ts'
import { type Ledger, openLedger } from './change-budget.ts'
import { type Change, isMeasured, measureChange } from './measure-change.ts'
import { readsOnly } from './read-only-check.ts'
import type { Task } from './task.ts'

/** Names the check that every call of a task passes. */
export const TASK_CHECK = 'task-bounds'

/** The bounds of one run: asked before anybody is, and once more right before the effect. */
export interface TaskBounds {
  /** Refuses what the task does not allow. Nobody can override it: whoever wants more writes another task. */
  readonly checker: Checker
  /** Policy that makes every call pass the checker; it only tightens. */
  readonly floors: readonly { readonly path: string; readonly text: string }[]
  /** The tools with the last count before each write. */
  bind(tools: readonly AgentTool[]): readonly AgentTool[]
  changed: Ledger['changed']
}

/** Makes the bounds of a task for one run in a workspace. Throws on a glob that is none. */
export function openBounds(task: Task, places: Places): TaskBounds {
  const { workspace } = places
  const ledger = openLedger(task.limits)
  const isTool = task.tools?.map(compileNameGlob) ?? null
  const isAllowed = task.paths.allow?.map(compilePathGlob) ?? null
  const isUncounted = task.uncounted.map(compileNameGlob)
  const hostRefusal = boundHosts(task.hosts)
  const isDenied = task.paths.deny.map(compilePathGlob)

  function pathRefusal(paths: readonly string[]): string | null {
    for (const path of paths) {
      const text = path.normalize('NFC')
      const shown = shownPath(path, workspace)
      // Denied comes first: nothing allowed lifts it.
      if (isDenied.some((matches) => matches(text, places))) return `the task denies changes to \`${shown}\``
      if (isAllowed === null ? shown.startsWith('/') : !isAllowed.some((matches) => matches(text, places)))
        return `the task does not allow changes to \`${shown}\``
    }
    return null
  }

  async function refusal(input: CheckInput): Promise<string | null> {
    const { call, risk } = input
    const isOurs = call.source === 'builtin' && call.tool.server === null
    if (isOurs && call.tool.name === 'proceed') return null
    const label = toolLabel(call.tool)
    if (isTool !== null && !isTool.some((matches) => matches(label)))
      return `the task does not allow the tool \`${label}\``
    const { command, cwd } = call.descriptor
    const isShell = isOurs && command !== undefined
    if (isShell && task.mode === 'write' && cwd === undefined && task.commands.includes(command.trim())) return null
    const byHost = hostRefusal(input)
    if (readsOnly(input)) return byHost
    if (task.mode === 'read-only')
      return call.descriptor.command === undefined
        ? `the task is read-only, and \`${label}\` may change something`
        : 'the task is read-only, and this command is not proven to change nothing'
    if (byHost !== null) return byHost
    if (isShell) return UNCOUNTED
    const { known, unknown } = changedTargets({ call, risk, places })
    if (unknown.length > 0) return `which files \`${unknown[0] ?? ''}\` means cannot be told`
    const byGate = pathRefusal(known.map(({ real }) => real))
    if (byGate !== null) return byGate
    if (!isOurs || !isMeasured(call.tool.name))
      return isUncounted.some((matches) => matches(label))
        ? null
        : `how much \`${label}\` changes cannot be counted; the task would have to name it in \`uncounted\``
    // What the tool itself would refuse changes nothing, and is better said by the tool.
    const change = await measureChange(call.tool.name, call.args, workspace).catch(() => null)
    return change === null ? null : (pathRefusal(change.touched) ?? ledger.refusal(change))
  }

  const spend = (change: Change): string | null => pathRefusal(change.touched) ?? ledger.spend(change)

  return {
    checker: { name: TASK_CHECK, check: async (input) => answerOf(await refusal(input)) },
    floors: [{ path: task.name, text: FLOOR }],
    bind: (tools) => tools.map((tool) => bound(tool, spend)),
    changed: () => ledger.changed().map(({ path, lines }) => ({ path: shownPath(path, workspace), lines })),
  }
}

const UNCOUNTED =
  'what this command changes cannot be counted before it runs; the task allows only the lines of its `commands`, run in the workspace'

/** Every call, whatever else is said of it. */
const FLOOR = `version: 1
rules:
  - { id: task.bounds, tool: "*", supervision: automatic, checks: [${TASK_CHECK}] }
`

function answerOf(refusal: string | null): CheckAnswer {
  return refusal === null
    ? { status: 'pass', message: 'within the bounds of the task' }
    : { status: 'fail', message: refusal, overridable: false }
}

/** The last count, right before the effect: two calls that each fitted alone may not fit together. */
function bound(tool: AgentTool, spend: (change: Change) => string | null): AgentTool {
  if (tool.source !== 'builtin' || !isMeasured(tool.name)) return tool
  return {
    ...tool,
    async run(args, run) {
      const why = spend(await measureChange(tool.name, args, run.workspace))
      if (why !== null) throw toolFailure(`nothing was changed: ${why}`)
      return tool.run(args, run)
    },
  }
}
