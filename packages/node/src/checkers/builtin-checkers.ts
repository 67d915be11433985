import { type Checker, coreCheckers, type Ports } from '@countersign/core'
import { diskChecker } from './disk.ts'
import { permissionsChecker } from './permissions.ts'
import { secretsChecker } from './secrets.ts'
import { sizeChecker } from './size.ts'

/** Every checker that rules may name without anybody registering it. */
export function builtinCheckers(ports: Pick<Ports, 'backups' | 'targets'>): readonly Checker[] {
  return [...coreCheckers(ports), diskChecker(), permissionsChecker(), secretsChecker(), sizeChecker()]
}
