import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { asCountersignError } from '@countersign/core'
import { DRIVERS } from '../drivers/drivers.ts'
import type { DrivenHost } from '../drivers/host-driver.ts'
import { type CanaryGate, openCanaryGate } from '../gate/canary-gate.ts'
import { type GatedPlace, putBehindGate } from '../gate/put-behind.ts'
import { MARKED_COMMAND, type ProgramCommand, type RunningHost, startProgram } from '../run/run-program.ts'
import { PROBES, type Probe, type ProbeFate, type ProbeResult } from './probe.ts'

/** An agent to try. */
export interface Candidate {
  readonly host: DrivenHost
  readonly program: string
  /** How to start the program, if not by its own name. */
  readonly command?: ProgramCommand
  readonly version: string | null
  /** How the hook is started. */
  readonly launcher: readonly string[]
  /** All if absent. */
  readonly probes?: readonly Probe[]
}

/** Everything is held, so that only a decision lets the command run. */
const POLICY = 'version: 1\nrules:\n  - { id: canary, tool: "*", supervision: confirm }\n'
const SLOW_S = 3
/** INVARIANT: L10, the time for one run of an agent. */
const MOST_MS = 90_000
/** How long an agent may keep running after it told its model the result of the call. */
const LINGER_MS = 1_000
/** A call that was neither run nor refused within this time counts as waiting. */
const WAITING_MS = 15_000
const LOOK_MS = 50

/** How a hook is broken: the program that replaces it, or the damage to the gate's home. */
interface Breakage extends Partial<Pick<GatedPlace, 'launcher' | 'patienceS'>> {
  readonly damage?: (gate: CanaryGate) => void
}

const BREAKAGES: Readonly<Record<Probe, Breakage>> = {
  rejected: {},
  approved: {},
  'gate damaged': { damage: ({ home }) => writeFileSync(join(home.dir, 'sessions'), 'not a folder') },
  'hook missing': { launcher: [process.execPath, '/nowhere/countersign.js'] },
  'hook slow': { launcher: ['/bin/sh', '-c', 'exec sleep 60'], patienceS: SLOW_S },
  garbage: { launcher: ['/bin/sh', '-c', 'echo garbage'] },
}

/**
 * Starts a real agent headless, in a temporary home and project and with a stand-in model on loopback, once for each probe, and
 * checks what happened to a harmless command. It uses a separate gate. Never throws: a failure is `unreached`.
 */
export async function tryAgent(
  candidate: Candidate,
  onResult: (result: ProbeResult) => void = () => {},
): Promise<readonly ProbeResult[]> {
  const results: ProbeResult[] = []
  for (const probe of candidate.probes ?? PROBES) {
    const result = await tried(probe, candidate)
    results.push(result)
    onResult(result)
    // An agent that does not reach its first call is not started five more times.
    if (probe === 'rejected' && result.fate === 'unreached') break
  }
  return results
}

async function tried(probe: Probe, candidate: Candidate): Promise<ProbeResult> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-canary-')))
  try {
    return await inFolder(root, probe, candidate)
  } catch (error) {
    const { message } = asCountersignError(error, 'CS_INTERNAL', 'it could not be started')
    return { probe, fate: 'unreached', runs: 0, detail: message }
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function inFolder(root: string, probe: Probe, candidate: Candidate): Promise<ProbeResult> {
  const { host, program, version } = candidate
  const [home, project] = [join(root, 'home'), join(root, 'project')]
  for (const folder of [home, project]) mkdirSync(folder)
  const { damage, ...broken } = BREAKAGES[probe]
  const driver = DRIVERS[host]
  const gate = await openCanaryGate(root, project, POLICY)
  const machine = { accountHome: home, project, platform: process.platform, env: { PATH: searchPath(program) } }
  const ours: GatedPlace = { host, program, version, machine, home: gate.home, launcher: candidate.launcher }
  let askedAt: number | undefined
  let answeredAt: number | undefined
  let running: RunningHost | undefined
  const isOver = (): boolean => {
    if ((running?.model.toolResults.length ?? 0) > 0) answeredAt ??= performance.now()
    const lingers = answeredAt !== undefined && performance.now() - answeredAt > LINGER_MS
    return lingers || isWaiting(probe, askedAt)
  }
  try {
    running = await startProgram(driver, {
      command: candidate.command ?? [program],
      home,
      project,
      env: { PATH: searchPath(program) },
      turns: [
        () => {
          askedAt ??= performance.now()
          return { calls: [driver.shellCall(MARKED_COMMAND)] }
        },
      ],
      prepare: async () => {
        await putBehindGate({ ...ours, ...broken })
        damage?.(gate)
      },
      timeoutMs: MOST_MS,
      endWhen: isOver,
    })
    const [run] = await Promise.all([running.finished, decideAll(probe, gate, running)])
    const fate: ProbeFate = run.markerExists
      ? 'ran'
      : run.toolResults.length > 0
        ? 'did not run'
        : askedAt !== undefined
          ? 'waited'
          : 'unreached'
    return { probe, fate, runs: run.markerRuns, detail: fate === 'unreached' ? endOf(run.ended, run.exitCode) : null }
  } finally {
    await gate.close()
  }
}

/** Decisions are immediate, so only an agent with a broken hook can be waiting. */
function isWaiting(probe: Probe, askedAt: number | undefined): boolean {
  const isBroken = probe !== 'rejected' && probe !== 'approved'
  return isBroken && askedAt !== undefined && performance.now() - askedAt > WAITING_MS + SLOW_S * 1000
}

async function decideAll(probe: Probe, gate: CanaryGate, { finished }: RunningHost): Promise<void> {
  const ended = finished.then(
    () => true,
    () => true,
  )
  const kind = probe === 'approved' ? 'approve' : 'reject'
  for (;;) {
    const isOver = await Promise.race([ended, new Promise<false>((done) => setTimeout(done, LOOK_MS, false))])
    if (isOver || probe === 'gate damaged') return
    for (const view of await gate.held()) await gate.decide(view, { kind })
  }
}

function endOf(ended: string, exitCode: number | null): string {
  return ended === 'exited' ? `it ended with ${exitCode ?? 'a signal'} before its first tool call` : `it ${ended}`
}

/** Programs that are scripts need Node and the programs next to them. */
function searchPath(program: string): string {
  return [...new Set([dirname(process.execPath), dirname(program), '/usr/local/bin', '/usr/bin', '/bin'])].join(':')
}
