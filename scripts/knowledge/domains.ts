import { COMMANDS } from './commands.ts'
import { CONTAINMENT } from './containment.ts'
import { DISPLAY } from './display.ts'
import { INTENT } from './intent/domain.ts'
import type { Domain } from './knowledge-file.ts'
import { NETWORK } from './network.ts'
import { PATHS } from './paths.ts'
import { PROGRAMS } from './programs.ts'
import { QUERIES } from './queries.ts'
import { RUNNERS } from './runners.ts'
import { SECRETS } from './secrets.ts'
import { SHELL } from './shell.ts'
import { TOOLS } from './tools.ts'

/** Every folder of `packages/core/knowledge`. */
export const DOMAINS: readonly Domain[] = [
  COMMANDS,
  CONTAINMENT,
  DISPLAY,
  INTENT,
  NETWORK,
  PATHS,
  PROGRAMS,
  QUERIES,
  RUNNERS,
  SECRETS,
  SHELL,
  TOOLS,
]
