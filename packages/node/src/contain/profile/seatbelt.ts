import { CONTAINMENT } from '@countersign/core'
import type { Plan } from './profile.ts'

const { names, starts, endings, git } = CONTAINMENT.protectedNames

/**
 * The same bounds as a profile for macOS's `sandbox-exec`. Not proven there by the tests of escapes, so nothing runs in it yet:
 * macOS counts as a system without a sandbox.
 */
export function seatbeltProfile(plan: Plan, temporary: string): string {
  const { bounds, workspace, home, gate, visible, scans } = plan
  const written = [...(bounds.workspace === 'write' ? [workspace] : []), ...bounds.write, temporary]
  const guarded = scans.flatMap((scan) => [...scan.guarded, ...scan.links, ...scan.shared])
  const secrets = bounds.credentials.includes('project') ? [] : scans.flatMap((scan) => scan.secrets)
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec process-fork)',
    '(allow signal (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow mach-lookup (global-name "com.apple.system.notification_center") (global-name "com.apple.system.logger"))',
    '(allow pseudo-tty)',
    '(allow file-read-metadata)',
    allow('file-read*', [
      '/usr',
      '/bin',
      '/sbin',
      '/System',
      '/Library',
      '/private/etc',
      '/opt',
      '/dev',
      ...visible.home,
    ]),
    allow('file-read*', [workspace, ...bounds.read, ...written]),
    '(allow file-write-data (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty"))',
    allow('file-write*', written),
    // Later rules win. Names that do not exist yet are denied by their shape.
    deny('file-write*', guarded),
    ...nameShapes().map((shape) => `(deny file-write* (regex #"${shape}"))`),
    ...guarded.flatMap((path) => ancestors(path)).map((path) => `(deny file-write-unlink (literal ${quote(path)}))`),
    deny('file-read* file-write*', [gate, `${home}/Library`, `${home}/.ssh`, '/private/etc/master.passwd', ...secrets]),
    '(deny network*)',
    '(allow network* (local ip "localhost:*") (remote ip "localhost:*"))',
    '(deny appleevent-send)',
    '(deny lsopen)',
  ]
    .filter((line) => line !== '')
    .join('\n')
}

function allow(what: string, paths: readonly string[]): string {
  return paths.length === 0 ? '' : `(allow ${what} ${paths.map((path) => `(subpath ${quote(path)})`).join(' ')})`
}

function deny(what: string, paths: readonly string[]): string {
  return paths.length === 0 ? '' : `(deny ${what} ${paths.map((path) => `(subpath ${quote(path)})`).join(' ')})`
}

/** A string of the profile language. */
function quote(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

function nameShapes(): readonly string[] {
  const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return [
    `/(?:${[...names].map(literal).join('|')})(?:/|$)`,
    `/(?:${starts.map(literal).join('|')})[^/]*(?:/|$)`,
    `(?:${endings.map(literal).join('|')})$`,
    `/\\.git/(?:${[...git].map(literal).join('|')})(?:/|$)`,
  ]
}

function ancestors(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.slice(2).map((_, at) => parts.slice(0, at + 3).join('/'))
}
