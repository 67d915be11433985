import type { PlanOptions } from '@countersign/hosts'
import { type Installation, loadWrapping } from '@countersign/mcp'
import type { Home } from '@countersign/node'
import type { Io } from '../terminal/io.ts'
import { type InitFlags, machineOf, withinOf } from './init-flags.ts'

const { findInstallation } = await loadWrapping()

/** What the person chose, and where to look. */
export function planOptions(flags: InitFlags, home: Home, io: Io): PlanOptions {
  const within = withinOf(flags, io)
  const installation = installationOf(io)
  return {
    machine: machineOf(flags, io),
    scope: flags.project === undefined ? 'user' : 'project',
    home,
    launcher: installation.launcherFor({ place: { base: 'home' } }),
    ...(within === undefined ? {} : { within }),
    ...(flags.ask === undefined ? {} : { asking: flags.ask }),
  }
}

/** The running program. */
export function installationOf(io: Io): Installation {
  const [, script] = process.argv
  return findInstallation({ node: process.execPath, nodeFlags: process.execArgv, script, path: io.env['PATH'] })
}
