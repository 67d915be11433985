import { givesCredentials } from '../../call/address/classify.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import {
  isExecutable,
  isHarmlessDevice,
  isInside,
  isLikelySecret,
  isOwnInstall,
  isPublicHalf,
  type Places,
} from './category.ts'
import type { LocatedPath } from './located-path.ts'
import { isPrivateProcessFile } from './process-path.ts'

/** Rates the use of one path by its category. `built`: its new content is what a tool makes, not what the caller chooses. */
export function ratePath(path: LocatedPath, places: Places, built = false): RiskFinding | null {
  if (path.at !== null && isHarmlessDevice(path.at)) return null
  switch (path.use) {
    case 'read':
      return rateRead(path)
    case 'write':
      return rateWrite(path, built)
    case 'delete':
      return rateDelete(path, places)
    case 'execute':
      return rateExecute(path, places)
  }
}

/** Bash opens a connection for `/dev/tcp/host/port`. */
function reachesMetadata(at: string): boolean {
  const host = /^\/dev\/(?:tcp|udp)\/([^/]*)/.exec(at)?.[1]
  return host !== undefined && givesCredentials(host)
}

function rateRead(path: LocatedPath): RiskFinding | null {
  const at = path.at ?? ''
  if (isPrivateProcessFile(path))
    return finding('high', 'path.read-device', `reads memory, a disk or another process at \`${path.given}\``, 'no')
  switch (path.place) {
    case null:
      return finding('low', 'path.read-unknown', 'reads an unknown file')
    case 'gate':
      return finding('critical', 'path.read-gate', 'reads Countersign’s own keys, store or policy')
    case 'credentials':
      if (path.soft || isPublicHalf(at)) return null
      if (isLikelySecret(at))
        return finding('medium', 'path.read-secret', `reads \`${path.given}\`, which often contains secrets`)
      return finding('high', 'path.read-credentials', `reads the credentials in \`${path.given}\``, 'no')
    case 'device':
      if (reachesMetadata(at))
        return finding(
          'high',
          'network.metadata',
          'reads the cloud’s metadata service, which returns credentials',
          'no',
        )
      return /^\/(?:dev\/(?:mem|kmem|sd|nvme|disk|vd|hd|mapper|pts\/\d|tty\d|vcs|input\/|uinput|hidraw)|proc\/(?:kcore|vmcore))/.test(
        at,
      )
        ? finding('high', 'path.read-device', `reads memory, a disk or another process at \`${path.given}\``, 'no')
        : finding('low', 'path.read-device', 'reads from the kernel or a device')
    case 'home':
    case 'startup':
    case 'elsewhere':
      return path.soft ? null : finding('low', 'path.read-outside', `reads \`${path.given}\` outside the workspace`)
    default:
      return null
  }
}

function rateWrite(path: LocatedPath, built: boolean): RiskFinding {
  const { place, given, soft } = path
  const at = path.at ?? ''
  const target = { target: given }
  switch (place) {
    case null:
      return finding('high', 'path.write-unknown', 'writes to an unknown location', 'partly', {
        reach: 'unknown',
      })
    case 'gate':
      return finding('critical', 'path.write-gate', 'writes to Countersign’s own folder')
    case 'device':
      return finding('critical', 'path.write-device', `writes to a device or the kernel at \`${given}\``, 'no', target)
    case 'system': {
      const own = isOwnInstall(at)
      const level = soft ? (own ? 'medium' : 'high') : own ? 'high' : 'critical'
      return finding(level, 'path.write-system', `writes system files at \`${given}\``, 'partly', target)
    }
    case 'credentials': {
      const login = /authorized_keys$|sudoers|\/shadow$/.test(at)
      if (soft || isLikelySecret(at))
        return finding(
          soft ? 'low' : 'medium',
          'path.write-secret',
          `changes \`${given}\`, which often contains secrets`,
          'partly',
          target,
        )
      return finding(
        login ? 'critical' : 'high',
        'path.write-credentials',
        `changes the credentials in \`${given}\``,
        'partly',
        target,
      )
    }
    case 'startup':
      return finding('high', 'path.write-startup', `changes \`${given}\`, which runs later on its own`, 'yes', target)
    case 'vcs':
      return finding(
        'high',
        'path.write-vcs',
        `changes the repository’s data, hooks or pipelines at \`${given}\``,
        'yes',
        target,
      )
    case 'home':
    case 'elsewhere':
      return finding(
        soft ? 'low' : 'high',
        'path.write-outside',
        `writes \`${given}\` outside the workspace`,
        'partly',
        target,
      )
    case 'workspace':
      return writesWorkspace(path)
    case 'regenerable':
      if (!built && !soft && isExecutable(at)) return writesWorkspace(path)
      return finding('low', 'path.write-temporary', `writes \`${given}\`, which can be recreated`)
    case 'temp':
      return finding('low', 'path.write-temporary', `writes \`${given}\`, which is temporary`)
  }
}

function writesWorkspace({ given, soft }: LocatedPath): RiskFinding {
  const level = soft ? 'low' : 'medium'
  return finding(level, 'path.write-workspace', `writes \`${given}\` in the workspace`, 'partly', { target: given })
}

function rateDelete(path: LocatedPath, places: Places): RiskFinding {
  const { place, given, manner } = path
  const at = path.at ?? ''
  const one = { reach: 'one', target: given } as const
  const many = { reach: 'many', target: given } as const
  if (place !== null && (isInside(places.home, at) || (isInside(places.workspace, at) && at !== places.workspace))) {
    const text =
      isInside(places.home, at) && place !== 'system'
        ? 'everything in the home folder'
        : `\`${given}\`, which contains the home folder or the workspace`
    return finding('critical', 'path.delete-home', `deletes ${text}`, 'no', { reach: 'all', target: given })
  }
  switch (place) {
    case null:
      return finding('high', 'path.delete-unknown', 'deletes unknown files', 'no', { reach: 'unknown' })
    case 'gate':
    case 'device':
      return finding('critical', 'path.delete-system', `deletes system files at \`${given}\``, 'no', many)
    case 'system': {
      const level = manner === 'file' && !path.glob && isOwnInstall(at) ? 'high' : 'critical'
      return finding(level, 'path.delete-system', `deletes system files at \`${given}\``, 'no', many)
    }
    case 'home':
      if (isHomeTop(path, places)) {
        return finding('critical', 'path.delete-home', `deletes \`${given}\` from the home folder`, 'no', many)
      }
      return finding('high', 'path.delete-outside', `deletes \`${given}\` outside the workspace`, 'no', one)
    case 'credentials':
      return isLikelySecret(at) && isInside(at, places.workspace)
        ? finding(
            'medium',
            'path.delete-secret',
            `deletes \`${given}\`, which version control can’t restore`,
            'no',
            one,
          )
        : finding(
            'high',
            'path.delete-credentials',
            `deletes \`${given}\`, which contains credentials or a history`,
            'no',
            one,
          )
    case 'vcs':
      // A lock file, left behind by a crashed program.
      if (at.endsWith('.lock') && manner === 'file')
        return finding('medium', 'path.delete-lock', `deletes the lock file \`${given}\``, 'yes', one)
      return finding('high', 'path.delete-vcs', `deletes the repository’s data at \`${given}\``, 'no', many)
    case 'startup':
    case 'elsewhere':
      return finding('high', 'path.delete-outside', `deletes \`${given}\``, 'no', one)
    case 'workspace':
      if (path.created === true && manner !== 'moved')
        return finding('low', 'path.delete-created', `deletes \`${given}\`, which an agent’s call created`, 'yes', one)
      if (manner === 'moved') return finding('medium', 'path.move', `moves \`${given}\` away`, 'yes', { target: given })
      if (path.glob || at === places.workspace)
        return finding('high', 'path.delete-many', `deletes many files with \`${given}\``, 'no', many)
      return finding('medium', 'path.delete-workspace', `deletes \`${given}\` in the workspace`, 'partly', one)
    case 'regenerable':
      return finding('medium', 'path.delete-regenerable', `deletes \`${given}\`, which can be recreated`, 'yes', one)
    case 'temp':
      if (at === places.temp || /^(?:\/private)?(?:\/var)?\/tmp$/.test(at)) {
        return finding('high', 'path.delete-many', 'deletes all temporary files, including those of others', 'no', many)
      }
      return finding('medium', 'path.delete-temporary', `deletes \`${given}\`, which is temporary`, 'yes', one)
  }
}

/** A folder directly below the home folder, named from there: `../other` is a neighbour of the workspace. */
function isHomeTop(path: LocatedPath, places: Places): boolean {
  const top = (path.at ?? '').slice(places.home.length + 1)
  if (path.glob) return top === ''
  return !top.includes('/') && path.manner !== 'file' && /^[~/]/.test(path.given)
}

function rateExecute(path: LocatedPath, places: Places): RiskFinding | null {
  switch (path.place) {
    case 'system':
      return null
    case 'workspace':
      return finding('low', 'path.run-project', 'runs a program of the project', 'partly')
    case 'regenerable':
      return isInside(path.at ?? '', places.workspace)
        ? finding('low', 'path.run-project', 'runs a program of the project', 'partly')
        : finding('medium', 'path.run-outside', `runs \`${path.given}\` from outside the workspace`)
    case null:
    case 'temp':
    case 'device':
    case 'gate':
    case 'credentials':
      return finding(
        'high',
        'path.run-untrusted',
        `runs \`${path.given}\` from a place where no programs are installed`,
        'unknown',
      )
    default:
      return finding('medium', 'path.run-outside', `runs \`${path.given}\` from outside the workspace`)
  }
}

/** A path that starts with a variable and a slash: if the variable is empty, it starts at the root folder. */
const LEADING_VARIABLE = /^["']?\$(?:\{(\w{1,64})\}|(\w{1,64}))["']?\//

/** Rates the deletion of `"$NAME/…"` with an unknown variable. */
export function rateEmptyVariable(path: LocatedPath): RiskFinding | null {
  if (path.use !== 'delete' || path.at !== null) return null
  const found = LEADING_VARIABLE.exec(path.given)
  const name = found?.[1] ?? found?.[2]
  return name === undefined
    ? null
    : finding('high', 'path.empty-variable', `deletes from the root folder if \`$${name}\` is empty`, 'no')
}
