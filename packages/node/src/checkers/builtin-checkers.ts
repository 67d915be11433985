import { type Checker, coreCheckers, type Ports, secretsChecker } from '@countersign/core'
import { diskChecker } from './disk.ts'
import { permissionsChecker } from './permissions.ts'
import { scanSecrets } from './secret-scanner.ts'
import { sizeChecker } from './size.ts'

/** The checkers that rules may name without registration. */
export function builtinCheckers(ports: Pick<Ports, 'backups' | 'targets'>): readonly Checker[] {
  return [...coreCheckers(ports), diskChecker(), permissionsChecker(), secretsChecker(scanSecrets), sizeChecker()]
}
