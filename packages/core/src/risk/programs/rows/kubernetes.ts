import { assessHelm, assessKubectl } from '../containers.ts'
import type { ProgramRow } from './row.ts'

/** Programs for Kubernetes. */
export const KUBERNETES: readonly ProgramRow[] = [
  ['kubectl oc', assessKubectl],
  ['helm', assessHelm],
]
