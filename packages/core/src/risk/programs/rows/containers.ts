import { assessCompose, assessDocker } from '../containers.ts'
import type { ProgramRow } from './row.ts'

/** Programs for containers. */
export const CONTAINERS: readonly ProgramRow[] = [
  ['docker podman nerdctl', assessDocker],
  ['docker-compose podman-compose', assessCompose],
]
