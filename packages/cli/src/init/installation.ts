import { loadWrapping } from '@countersign/mcp'
import type { Io } from '../terminal/io.ts'

const { findInstallation } = await loadWrapping()

/** This copy of Countersign: how the hooks start it, and whether its path may disappear. */
export function installationOf(io: Io): ReturnType<typeof findInstallation> {
  const [, script] = process.argv
  return findInstallation({ node: process.execPath, nodeFlags: process.execArgv, script, path: io.env['PATH'] })
}
