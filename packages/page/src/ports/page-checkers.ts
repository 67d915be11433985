import { type Checker, coreCheckers, type Ports, scanText, secretsChecker } from '@countersign/core'

/** The checkers that rules may name: those of files have nothing to check here. */
export function pageCheckers(ports: Pick<Ports, 'backups' | 'targets'>): readonly Checker[] {
  return [...coreCheckers(ports), secretsChecker(scanText), ...['disk', 'permissions', 'size'].map(withoutFiles)]
}

function withoutFiles(name: string): Checker {
  return { name, check: () => ({ status: 'skip', message: 'a page has no files' }) }
}
