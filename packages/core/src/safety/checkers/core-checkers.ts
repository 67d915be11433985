import type { Ports } from '../../ports/ports.ts'
import type { Checker } from '../checker.ts'
import { backupChecker } from './backup.ts'
import { boundaryChecker } from './boundary.ts'
import { commandChecker } from './command.ts'
import { urlChecker } from './url.ts'

/** The built-in checkers that need nothing but the call and the ports; the others are with the ports themselves. */
export function coreCheckers(ports: Pick<Ports, 'backups' | 'targets'>): readonly Checker[] {
  return [backupChecker(ports.backups), boundaryChecker, commandChecker(ports.targets), urlChecker]
}
