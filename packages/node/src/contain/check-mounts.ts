import { readFileSync } from 'node:fs'
import type { Mount } from './profile/profile.ts'
import { isWithin } from './profile/visible-files.ts'

const NEW_ROOT = '/newroot'

/** A line of `mountinfo`: where a mount is, and which folder of which file system it shows. */
interface MountLine {
  readonly at: string
  readonly shows: string
}

/**
 * Checks the mounts that bubblewrap has made in its process `pid`; says why the command must not start, or null. SECURITY: A7
 * bubblewrap finds folders by their paths, and another contained run in the same workspace can put a link in the place of
 * a folder at that moment. The kernel's own table tells which folders were really mounted.
 */
export function checkMounts(mounts: readonly Mount[], pid: number | undefined): string | null {
  const made = pid === undefined ? [] : readMounts(pid)
  if (made.length === 0) return 'the mounts of the sandbox could not be checked; run `countersign doctor`'
  return differenceOf(mounts, made, readMounts('self'))
}

function differenceOf(mounts: readonly Mount[], made: readonly MountLine[], host: readonly MountLine[]): string | null {
  const shown = new Map<string, string[]>()
  for (const { at, shows } of made) shown.set(at, [...(shown.get(at) ?? []), shows])
  for (const { path } of mounts) {
    const expected = shownBy(path, host)
    const found = shown.get(`${NEW_ROOT}${path}`) ?? []
    if (found.length === 0 || found.some((one) => one !== expected))
      return `\`${path}\` was replaced while the sandbox started; run the command again`
  }
  return null
}

/** What a path without links shows, by the mounts that this process sees. */
function shownBy(path: string, host: readonly MountLine[]): string | undefined {
  const below = host.filter(({ at }) => isWithin(path, at))
  const nearest = below.reduce<MountLine | undefined>(
    (best, one) => (best === undefined || one.at.length >= best.at.length ? one : best),
    undefined,
  )
  if (nearest === undefined) return undefined
  const rest = nearest.at === '/' ? path : path.slice(nearest.at.length)
  return `${nearest.shows}${rest}`.replace(/(?<=.)\/$/, '')
}

function readMounts(pid: number | 'self'): readonly MountLine[] {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/mountinfo`, 'utf8')
  } catch {
    return []
  }
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, , device = '', root = '', at = ''] = line.split(' ')
      return { at: unescaped(at), shows: `${device} ${root === '/' ? '' : unescaped(root)}` }
    })
}

/** Spaces, tabs, line feeds and backslashes are written as octal numbers. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
}
