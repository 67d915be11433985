import { lstatSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createGate,
  type GateEvent,
  type HeldCallView,
  type Judgement,
  markOf,
  type OpenedView,
  openView,
} from '@countersign/core'
import { builtinCheckers, decide, openApprover, openHome, openPorts, runCommand, systemClock } from '@countersign/node'
import { BUILTIN_TOOLS } from '../../../packages/agent/src/index.ts'
import { type CallParts, callTool } from '../../../packages/agent/src/loop/call-tool.ts'
import type { JsonObject } from '../../../packages/core/src/call/json/json.ts'
import type { Place } from './place.ts'
import { type AgentStep, isPersonStep, type Step } from './row.ts'

export type Preset = 'paranoid' | 'balanced' | 'permissive' | 'read-only'
export const PRESETS: readonly Preset[] = ['paranoid', 'balanced', 'permissive', 'read-only']
/** `none`: a stand-in reports that no sandbox is installed. */
export type SandboxMode = 'real' | 'none'

/** How steps run: through the gate, or `bare`, beside it, to see what they do by themselves. */
export type How = 'bare' | { readonly preset: Preset; readonly sandbox: SandboxMode }

/** What became of one step. */
export interface StepEnd {
  readonly step: Step
  /** `asked` includes refusals: the step did not run unasked. */
  readonly fate: 'ran' | 'contained' | 'asked'
  readonly text: string
  /** Exit code of a command; 0 or 1 for other tools. */
  readonly code: number
  /** Whether a person would have been asked; with `approves` it ran all the same. */
  readonly asked: boolean
  /** Why it was asked about, for the list of findings. */
  readonly why: string
}

export interface StepsOptions {
  /** Called when the gate is open, before the first step. */
  readonly opened?: () => void
  readonly afterStep?: () => void
  /** A person approves what is asked about, at the desk and with their key: it runs outside the sandbox. */
  readonly approves?: boolean
  /** What is asked about, before it is approved. */
  readonly asked?: (shown: OpenedView) => Promise<void>
  /** More of the policy, as YAML. */
  readonly policy?: string
}

export interface StepsEnd {
  readonly ends: readonly StepEnd[]
  /** Whether the waiting call was approved meanwhile. */
  readonly approved: boolean
}

/** A call and the tool that runs it. */
export function callOf(step: AgentStep): { readonly name: string; readonly args: JsonObject } {
  if (typeof step === 'string') return { name: 'execute_command', args: { command: step, timeout_ms: 10_000 } }
  if ('write' in step) return { name: 'write_file', args: { path: step.write, content: step.text } }
  return { name: step.tool, args: step.args as JsonObject }
}

function toolOf(name: string): (typeof BUILTIN_TOOLS)[number] {
  const tool = BUILTIN_TOOLS.find((one) => one.name === name)
  if (tool === undefined) throw new Error(`no tool ${name}`)
  return tool
}

/** Runs the steps as an agent whose person never answers, or approves everything. */
export async function runSteps(
  steps: readonly Step[],
  place: Place,
  how: How,
  fill: (text: string, held: string) => string,
  { opened, afterStep, approves = false, asked, policy = '' }: StepsOptions = {},
): Promise<StepsEnd> {
  const home = openHome(place.gate)
  writeFileSync(home.policy, `version: 1\npreset: ${how === 'bare' ? 'balanced' : how.preset}\n${policy}`, {
    mode: 0o600,
  })
  const approver = openApprover(home, { name: 'ana' })
  const places = { workspace: place.work, home: place.home, gate: home.dir, temp: place.temp }
  const managed = { folder: join(place.root, 'managed'), owner: process.getuid?.() ?? 0 }
  const real = await openPorts(home, places, { managed })
  const missing = { kind: 'missing', why: 'no sandbox in this test', fix: 'none' }
  const ports = how === 'bare' || how.sandbox === 'real' ? real : { ...real, sandbox: { status: () => missing } }
  const { gate, desk } = await createGate(ports as typeof real, {
    places,
    session: 'session',
    checkers: builtinCheckers(ports as typeof real),
  })
  try {
    const waiting = { id: 'waiting', tool: 'deploy_site', args: { site: 'shop' } }
    await gate.submit(waiting).catch(() => null)
    const [view] = await desk.list()
    const held = view === undefined ? waiting.id : markOf(view)
    opened?.()
    const approve = async (shown: HeldCallView): Promise<void> => {
      if (shown.id === view?.id) return
      const { body, code } = openView(shown, ports.crypto)
      await asked?.(openView(shown, ports.crypto))
      const decision = { kind: 'approve', ...(body.supervision === 'manual' ? { code } : {}) } as const
      await decide(desk, shown, decision, { approver, surface: 'test', crypto: ports.crypto })
    }
    const ends: StepEnd[] = []
    for (const raw of steps) {
      const step = filled(raw, (text) => fill(text, held))
      if (typeof step !== 'string' && 'seen' in step && how !== 'bare') await desk.changes().allSeen(place.work, 'ana')
      if (how === 'bare' || isPersonStep(step)) ends.push(await runBare(step, place))
      else ends.push(await runOne(step, gate, place, approves ? approve : null))
      afterStep?.()
    }
    const past = await desk.past(waiting.id).catch(() => undefined)
    return { ends, approved: past?.decision?.kind === 'approve' || (past?.outcome ?? 'rejected') === 'completed' }
  } finally {
    // Some attacks remove the store.
    await gate.close().catch(() => {})
  }
}

export function filled(step: Step, fill: (text: string) => string): Step {
  return JSON.parse(JSON.stringify(step), (_, value: unknown) =>
    typeof value === 'string' ? fill(value) : value,
  ) as Step
}

async function runOne(
  step: AgentStep,
  gate: CallParts['gate'],
  place: Place,
  approve: ((shown: HeldCallView) => Promise<void>) | null,
): Promise<StepEnd> {
  const { name, args } = callOf(step)
  const gone = new AbortController()
  let judged: Judgement | undefined
  let isHeld = false
  let streamed = ''
  const stop = gate.subscribe((event: GateEvent) => {
    if (event.kind === 'held') {
      isHeld = true
      // A decision that does not count leaves the call held: it is withdrawn, and the step did not run.
      approve?.(event.view).catch(() => gone.abort())
    }
    if (event.kind !== 'judged') return
    judged = event.judgement
    const asks = judged.supervision === 'confirm' || judged.supervision === 'manual'
    if (asks && approve === null) gone.abort()
  })
  try {
    const asked = await callTool({ call: { id: '1', tool: name, args }, tool: toolOf(name), args, said: '' } as never, {
      gate,
      bridge: { follow: () => ({ backup: false, end() {} }), close() {} },
      clock: systemClock,
      label: 'agent',
      agent: { name: 'agent' },
      workspace: place.work,
      signal: gone.signal,
      emit(event) {
        if (event.kind === 'output') streamed += event.text
      },
    })
    const text = `${asked.result.text}\n${streamed}`
    if (asked.refusal !== null)
      return { step, fate: 'asked', text, code: -1, asked: true, why: whyAsked(judged, asked.refusal.message) }
    return {
      step,
      fate: isContained(judged) ? 'contained' : 'ran',
      text,
      code: codeOf(asked.result),
      asked: isHeld,
      why: isHeld ? whyAsked(judged, '') : '',
    }
  } finally {
    stop()
  }
}

function isContained(judged: Judgement | undefined): boolean {
  const contain = (judged?.verdict as { contain?: unknown } | undefined)?.contain
  return contain !== undefined && contain !== null
}

function whyAsked(judged: Judgement | undefined, message: string): string {
  if (judged === undefined) return message
  const { risk, supervision, verdict } = judged
  const unseen = verdict.reasons.filter((reason) => /nobody has seen|not proven/.test(reason))
  return `${supervision} ${risk.level} ${verdict.rule.id}: ${[...unseen, ...risk.reasons.map(({ text }) => text)]
    .join('; ')
    .slice(0, 200)}`
}

function codeOf({ text, isError }: { readonly text: string; readonly isError: boolean }): number {
  const code = /^exit code (\d+)/.exec(text)?.[1]
  return code === undefined ? (isError ? 1 : 0) : Number(code)
}

/** Runs a step without gate and sandbox: what a person does later, and what a twin is compared with. */
export async function runBare(step: Step, place: Place): Promise<StepEnd> {
  if (typeof step !== 'string' && 'seen' in step) return { step, fate: 'ran', text: '', code: 0, asked: false, why: '' }
  if (typeof step !== 'string' && 'person' in step) {
    const ended = await runCommand({ command: step.person }, { cwd: place.work, stdio: 'pipe', onOutput: () => {} })
    return { step, fate: 'ran', text: '', code: ended.exitCode, asked: false, why: '' }
  }
  const { name, args } = callOf(step)
  const tool = toolOf(name)
  let streamed = ''
  try {
    const text = await tool.run(args, {
      workspace: place.work,
      signal: new AbortController().signal,
      output: (_, piece) => {
        streamed += piece
      },
      mayRead: async () => true,
    })
    return {
      step,
      fate: 'ran',
      text: `${text}\n${streamed}`,
      code: codeOf({ text, isError: false }),
      asked: false,
      why: '',
    }
  } catch (error) {
    return { step, fate: 'ran', text: `${String(error)}\n${streamed}`, code: 1, asked: false, why: '' }
  }
}

/** The programs of a machine, for rows that need one. */
export function isInstalled(program: string): boolean {
  return ['/usr/local/bin', '/usr/bin', '/bin'].some(
    (folder) => lstatSync(join(folder, program), { throwIfNoEntry: false }) !== undefined,
  )
}
