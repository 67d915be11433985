import { finding, type RiskFinding } from './finding.ts'
import { isHarmlessDevice, isInside, isLikelySecret, isPublicHalf, type Places } from './place.ts'
import type { LocatedPath } from './rated-path.ts'

/** Rates the use of one path by where it leads. */
export function ratePath(path: LocatedPath, places: Places): RiskFinding | null {
  if (path.at !== null && isHarmlessDevice(path.at)) return null
  switch (path.use) {
    case 'read':
      return rateRead(path)
    case 'write':
      return rateWrite(path)
    case 'delete':
      return rateDelete(path, places)
    case 'execute':
      return rateExecute(path)
  }
}

function rateRead(path: LocatedPath): RiskFinding | null {
  const at = path.at ?? ''
  switch (path.place) {
    case null:
      return finding('low', 'path.read-unknown', 'reads a file that is not known')
    case 'gate':
      return finding('critical', 'path.read-gate', 'reads Countersign’s own keys, store or policy')
    case 'credentials':
      if (path.soft || isPublicHalf(at))
        return finding('low', 'path.near-credentials', 'looks where credentials are kept')
      if (isLikelySecret(at))
        return finding('medium', 'path.read-secret', `reads \`${path.given}\`, which often holds secrets`)
      return finding('high', 'path.read-credentials', `reads credentials at \`${path.given}\``, 'no')
    case 'device':
      return /^\/(?:dev\/(?:mem|kmem|sd|nvme|disk|vd|hd|mapper)|proc\/[^/]+\/(?:environ|mem|maps|fd|root))/.test(at)
        ? finding('high', 'path.read-device', `reads memory, a disk or another process at \`${path.given}\``, 'no')
        : finding('low', 'path.read-device', 'reads from the kernel or a device')
    case 'home':
    case 'startup':
    case 'elsewhere':
      return finding('low', 'path.read-outside', `reads outside the workspace at \`${path.given}\``)
    default:
      return null
  }
}

function rateWrite(path: LocatedPath): RiskFinding {
  const { place, given, soft } = path
  switch (place) {
    case null:
      return finding('high', 'path.write-unknown', 'writes to a place that is not known')
    case 'gate':
      return finding('critical', 'path.write-gate', 'writes to Countersign’s own folder')
    case 'device':
      return finding('critical', 'path.write-device', `writes to a device or the kernel at \`${given}\``)
    case 'system':
      return finding('critical', 'path.write-system', `writes to the system at \`${given}\``)
    case 'credentials': {
      const login = /authorized_keys$|sudoers/.test(path.at ?? '')
      return finding(login ? 'critical' : 'high', 'path.write-credentials', `changes credentials at \`${given}\``)
    }
    case 'startup':
      return finding('high', 'path.write-startup', `changes \`${given}\`, which runs later`)
    case 'vcs':
      return finding('high', 'path.write-vcs', `changes the repository’s own data, hooks or pipelines at \`${given}\``)
    case 'home':
    case 'elsewhere':
      return finding(soft ? 'medium' : 'high', 'path.write-outside', `writes outside the workspace at \`${given}\``)
    case 'workspace':
      return finding(soft ? 'low' : 'medium', 'path.write-workspace', `writes \`${given}\` in the workspace`)
    case 'regenerable':
    case 'temp':
      return finding('low', 'path.write-temporary', `writes \`${given}\`, which is temporary or can be made again`)
  }
}

function rateDelete(path: LocatedPath, places: Places): RiskFinding {
  const { place, given } = path
  const at = path.at ?? ''
  if (place !== null && (isInside(places.home, at) || (isInside(places.workspace, at) && at !== places.workspace))) {
    return finding('critical', 'path.delete-home', `deletes \`${given}\`, which holds the home folder or the workspace`)
  }
  switch (place) {
    case null:
      return finding('high', 'path.delete-unknown', 'deletes files that are not known', 'no')
    case 'gate':
    case 'device':
    case 'system':
      return finding('critical', 'path.delete-system', `deletes from the system at \`${given}\``)
    case 'home': {
      const top = at.slice(places.home.length + 1)
      if (path.glob ? top === '' : !top.includes('/')) {
        return finding('critical', 'path.delete-home', `deletes \`${given}\` from the home folder`)
      }
      return finding('high', 'path.delete-outside', `deletes outside the workspace at \`${given}\``, 'no')
    }
    case 'credentials':
    case 'startup':
    case 'vcs':
    case 'elsewhere':
      return finding('high', 'path.delete-outside', `deletes \`${given}\``, 'no')
    case 'workspace':
      if (path.glob || at === places.workspace)
        return finding('high', 'path.delete-many', `deletes many files by \`${given}\``, 'no')
      return finding('medium', 'path.delete-workspace', `deletes \`${given}\` in the workspace`)
    case 'regenerable':
      return finding('medium', 'path.delete-regenerable', `deletes \`${given}\`, which can be made again`, 'yes')
    case 'temp':
      if (at === places.temp || /^(?:\/private)?(?:\/var)?\/tmp$/.test(at)) {
        return finding('high', 'path.delete-many', 'deletes everybody’s temporary files', 'no')
      }
      return finding('medium', 'path.delete-temporary', `deletes the temporary \`${given}\``)
  }
}

function rateExecute(path: LocatedPath): RiskFinding | null {
  switch (path.place) {
    case 'system':
      return null
    case 'workspace':
    case 'regenerable':
      return finding('low', 'path.run-project', 'runs a program of the project')
    case null:
    case 'temp':
    case 'device':
    case 'gate':
    case 'credentials':
      return finding(
        'high',
        'path.run-untrusted',
        `runs \`${path.given}\` from a place where programs do not live`,
        'unknown',
      )
    default:
      return finding('medium', 'path.run-outside', `runs \`${path.given}\` from outside the workspace`)
  }
}
