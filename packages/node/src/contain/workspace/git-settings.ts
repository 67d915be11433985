import { lstatSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join, normalize } from 'node:path'

const MOST_BYTES = 262_144
/** Settings whose value is a file or folder that git runs or reads more settings from. */
const NAMING = /^\s*(hookspath|path|fsmonitor|excludesfile|attributesfile)\s*=\s*"?([^"#;\n]+?)"?\s*$/gim
/** Settings whose value is a command that git runs, and aliases that are one. */
const RUNNING =
  /^\s*(?:(?:clean|smudge|process|driver|textconv|command|program|helper|external|cmd|fsmonitor|askpass|gitproxy|sshcommand|editor|pager|uploadpack|receivepack)\s*=|[\w-]+\s*=\s*"?!)(.+)$/gim

/** The files and folders of the workspace that a repository's settings name, as paths without links resolved. */
export function namedBySettings(folder: string): readonly string[] {
  const config = join(folder, 'config')
  try {
    const stats = lstatSync(config, { throwIfNoEntry: false })
    if (!stats?.isFile() || stats.size > MOST_BYTES) return []
    const root = dirname(folder)
    const text = readFileSync(config, 'utf8')
    const named = [...text.matchAll(NAMING)].flatMap(([, key, value = '']) => {
      // Included settings are relative to the file, everything else to the working tree.
      const path = isAbsolute(value) ? value : join(key?.toLowerCase() === 'path' ? folder : root, value)
      return normalize(path).startsWith(`${root}/`) ? [normalize(path).replace(/\/$/, '')] : []
    })
    const words = [...text.matchAll(RUNNING)].flatMap(([, value = '']) => value.split(/[\s"'\\;|&()<>=]+/))
    return [...named, ...words.flatMap((word) => programOf(word, root))]
  } catch {
    return []
  }
}

/** The file of the working tree that a word of a command names, or would name if it existed. */
function programOf(word: string, root: string): readonly string[] {
  const path = normalize(isAbsolute(word) ? word : join(root, word))
  if (word === '' || !path.startsWith(`${root}/`)) return []
  const stats = lstatSync(path, { throwIfNoEntry: false })
  const isNamed = stats === undefined ? /[^/]\/|^\.\/|\.\w+$/.test(word) : stats.isFile()
  return isNamed ? [path] : []
}
