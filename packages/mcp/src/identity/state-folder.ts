import { join } from 'node:path'
import type { Home } from '@countersign/node'

/** The folder of everything the gate keeps about servers and their clients: pins, what waits, wrapped files, sign-ins. */
export function mcpFolder(home: Home): string {
  return join(home.dir, 'mcp')
}
