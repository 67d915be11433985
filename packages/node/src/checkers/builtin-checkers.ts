import { type Checker, coreCheckers, type Ports } from '@countersign/core'
import { diskChecker } from './disk.ts'
import { permissionsChecker } from './permissions.ts'
import { secretsChecker } from './secrets.ts'
import { sizeChecker } from './size.ts'

/** The checkers that rules may name without registration. */
export function builtinCheckers(ports: Pick<Ports, 'backups' | 'targets'>): readonly Checker[] {
  return [...coreCheckers(ports), diskChecker(), permissionsChecker(), secretsChecker(), sizeChecker()]
}
