import type { HostDriver } from '../../../packages/hosts/src/canary/drivers/host-driver.ts'
import {
  type HostRun,
  type RunningHost,
  type RunSetup,
  runProgram,
  startProgram,
} from '../../../packages/hosts/src/canary/run/run-program.ts'
import { installedCommand } from './programs.ts'

export { type HostRun, MARKED_COMMAND } from '../../../packages/hosts/src/canary/run/run-program.ts'

/** A run of one of the installed versions. */
export type HostSetup = Omit<RunSetup, 'command'> & { readonly version: string }

/** Starts an installed host headless. */
export function startHost(driver: HostDriver, setup: HostSetup): Promise<RunningHost> {
  return startProgram(driver, whole(driver, setup))
}

/** Runs an installed host to its end. */
export function runHost(driver: HostDriver, setup: HostSetup): Promise<HostRun> {
  return runProgram(driver, whole(driver, setup))
}

function whole({ name }: HostDriver, { version, ...setup }: HostSetup): RunSetup {
  const command = installedCommand(name, version)
  if (command === undefined) throw new Error(`${name} ${version} is not installed`)
  return { ...setup, command }
}
