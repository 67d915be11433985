import {
  type CheckAnswer,
  type Checker,
  type CheckInput,
  changedTargets,
  compileNameGlob,
  compilePathGlob,
  type Places,
  reachOf,
  toolLabel,
  urlTarget,
} from '@countersign/core'
import type { AgentTool } from '../tools/definition/agent-tool.ts'
import { toolFailure } from '../tools/definition/tool-failure.ts'
import { shownPath } from '../tools/definition/tool-path.ts'
import { type Ledger, openLedger } from './change-budget.ts'
import { type Change, isMeasured, measureChange } from './measure-change.ts'
import type { Task } from './task.ts'

/** The name of the task check. */
const TASK_CHECK = 'task-bounds'

/** The limits of one run: checked before anybody is asked, and again right before the effect. */
interface TaskBounds {
  /** Refuses what the task does not allow. It cannot be overridden; to allow more, change the task. */
  readonly checker: Checker
  /** Policy that applies the check to every call; it only tightens. */
  readonly floors: readonly { readonly path: string; readonly text: string }[]
  /** The tools with a final check before each write. */
  bind(tools: readonly AgentTool[]): readonly AgentTool[]
  changed: Ledger['changed']
}

/** Creates the limits of a task for one run. Throws on an invalid glob. */
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
      // Denied paths win over allowed ones.
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
    // Exactly as listed: a no-break space before the first word would name another program.
    if (isShell && task.mode === 'write' && cwd === undefined && task.commands.includes(command)) return null
    const byHost = hostRefusal(input)
    if (readsOnly(input)) return byHost
    if (task.mode === 'read-only')
      return call.descriptor.command === undefined
        ? `the task is read-only, and \`${label}\` may change something`
        : 'the task is read-only, and this command is not proven to change nothing'
    if (byHost !== null) return byHost
    if (isShell) return UNCOUNTED
    const { known, unknown } = changedTargets({ call, risk, places })
    if (unknown.length > 0) return `it is unclear which files \`${unknown[0] ?? ''}\` means`
    const byGate = pathRefusal(known.map(({ real }) => real))
    if (byGate !== null) return byGate
    if (!isOurs || !isMeasured(call.tool.name))
      return isUncounted.some((matches) => matches(label))
        ? null
        : `the changes of \`${label}\` cannot be counted; add it to the task’s \`uncounted\``
    // If the tool would fail, it changes nothing and explains itself.
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
  'the changes of this command cannot be counted; the task allows only the lines of its `commands`, run in the workspace'

/** Applies to every call. */
const FLOOR = `version: 1
rules:
  - { id: task.bounds, tool: "*", supervision: automatic, checks: [${TASK_CHECK}] }
`

function answerOf(refusal: string | null): CheckAnswer {
  return refusal === null
    ? { status: 'pass', message: 'within the limits of the task' }
    : { status: 'fail', message: refusal, overridable: false }
}

/** The final check, right before the effect: two calls that fit separately may not fit together. */
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

/**
 * Whether a call is proven to change nothing. A server’s tool never is: only the server says so. A command is when
 * every part was understood, is rated `none`, writes or deletes nothing, and ends in time.
 */
function readsOnly(input: CheckInput): boolean {
  const { call, risk } = input
  if (call.tool.server !== null || call.source !== 'builtin') return false
  const { known, unknown } = changedTargets(input)
  if (known.length > 0 || unknown.length > 0) return false
  switch (call.descriptor.kind) {
    case 'read':
    case 'fetch':
      return true
    case 'execute':
    case 'query':
      return risk.understood && risk.level === 'none' && !mayDetach(call.descriptor)
    case 'write':
    case 'delete':
    case 'move':
    case 'send':
    case 'other':
      return false
  }
}

const DETACHING = /(?:^|[^\w-])(?:nohup|setsid|disown|coproc|daemonize|start-stop-daemon)(?![\w-])/
/** Characters written as numbers, which may hide an ampersand. */
const SPELT = /\$'[^']*\\[xuUc0-7]/

/**
 * Whether part of a command may keep running after it. Judged by its text alone: quoted words count, which errs on the
 * safe side.
 */
function mayDetach({ command, argv }: CheckInput['call']['descriptor']): boolean {
  const text = command ?? argv?.join('\n') ?? ''
  const alone = text.replace(/&&|[<>]&|&>/g, ' ')
  return alone.includes('&') || DETACHING.test(text) || SPELT.test(text)
}

/** Programs whose arguments are hosts even without a scheme: their target is uncertain. */
const FETCHERS: ReadonlySet<string> = new Set(
  'curl curlie wget http https xh xhs aria2c lynx w3m links elinks'.split(' '),
)
const URL_IN_WORD = /[a-z][a-z0-9+.-]{1,31}:\/\/[^\s'"`<>|;]+/gi
const LONGEST_WORD = 8_192

/**
 * Why a call may not fetch from its host; null when it may. SECURITY: A7 an unattended run could read or control
 * services of the machine or its network, so without a list only public hosts are allowed.
 */
function boundHosts(hosts: readonly string[] | null): (input: CheckInput) => string | null {
  const isNamed = hosts?.map((host) => compileNameGlob(host.toLowerCase())) ?? null
  return (input) => {
    if (input.risk.parts.some(({ command }) => FETCHERS.has(command.program ?? ''))) return IN_A_COMMAND
    for (const url of urlsOf(input)) {
      const host = hostOf(url)
      if (host === null) return 'the host it would fetch from is unclear'
      if (isNamed === null ? reachOf(host) !== 'public' : !isNamed.some((matches) => matches(host)))
        return `the task does not allow fetching from \`${host}\`; add it to \`hosts\``
    }
    return null
  }
}

const IN_A_COMMAND = 'the host of this command is uncertain; use `fetch_url`, or add the line to the task’s `commands`'

function urlsOf({ call: { descriptor }, risk }: CheckInput): readonly string[] {
  const { url, urls = url === undefined ? [] : [url] } = descriptor
  const words = risk.parts.flatMap(({ command }) =>
    command.args.map(({ value }) => (value ?? '').slice(0, LONGEST_WORD)),
  )
  return [...urls, ...words.flatMap((word) => word.match(URL_IN_WORD) ?? [])]
}

/** The normalized host, whatever the scheme: `0x7f.1` is 127.0.0.1. */
function hostOf(url: string): string | null {
  const target = urlTarget(url)
  if (target.kind !== 'host') return null
  return target.host.includes(':') ? `[${target.host}]` : target.host
}
