import type { HostDriver } from '../drivers/host-driver.ts'
import type { Fate, Protection } from './dead-hook-table.ts'
import type { Failure } from './dead-hooks.ts'
import { createProbe } from './probe.ts'
import { MARKED_COMMAND, runHost } from './run-host.ts'
import { withWorld } from './world.ts'

/** A host that has neither run nor refused the call this long after it asked the hook waits for something. */
const PATIENCE_MS = 20_000

/** Turns a missing, crashed or failed hook into exit code 2 with a message, which most hosts take as a refusal. */
export function guard(command: string): string {
  return `${command} || { echo 'The gate did not answer, so the tool does not run.' >&2; exit 2; }`
}

/** Lets the hook fail in front of a marked call and reports what the host did. */
export function measureDeadHook(
  driver: HostDriver,
  version: string,
  failure: Failure,
  protection: Protection,
): Promise<Fate> {
  return withWorld(async (world) => {
    const { answer = {}, timeoutSeconds } = failure
    const probe = createProbe(driver, world.root, { [driver.gateEvent]: answer })
    const bare = failure.command ?? probe.command(driver.gateEvent)
    const entry = {
      event: driver.gateEvent,
      command: protection === 'guarded' ? guard(bare) : bare,
      ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
      ...(protection === 'fail_closed' ? { fields: driver.failClosed ?? {} } : {}),
    }
    let askedAt: number | undefined
    const waitsTooLong = (): boolean => {
      if (probe.events().some(({ name }) => name === driver.gateEvent)) askedAt ??= performance.now()
      return askedAt !== undefined && performance.now() - askedAt > PATIENCE_MS
    }
    const run = await runHost(driver, {
      ...world,
      version,
      turns: [{ calls: [driver.shellCall(MARKED_COMMAND)] }],
      files: driver.hookFiles([entry], 'user'),
      endWhen: waitsTooLong,
    })
    if (run.markerExists) return 'runs'
    if (run.toolResults.length > 0) return 'refuses'
    if (run.ended === 'ended') return 'waits'
    throw new Error(`${driver.name} ${version} did not reach the marked call: ${run.output.slice(0, 2000)}`)
  })
}
