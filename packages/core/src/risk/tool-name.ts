import type { RiskLevel } from './level.ts'
import { wordSet } from './word-set.ts'

const DESTROYS = wordSet(
  'delete remove drop destroy purge erase wipe truncate terminate kill revoke uninstall format reset clear ' +
    'clean shred unpublish nuke rm rmdir unlink cancel disable deactivate ban',
)
const REACHES = wordSet(
  'send publish deploy pay transfer refund charge buy purchase merge approve execute exec run invoke email ' +
    'post tweet message notify grant promote release rollback restart shutdown reboot migrate import',
)
const CHANGES = wordSet(
  'write create update set put add insert edit modify patch move rename upload append replace save store ' +
    'copy commit push sync assign enable start stop close open register install',
)

/** A name split into words, across snake, kebab and camel case. */
export function nameWords(name: string): readonly string[] {
  return name
    .slice(0, 256)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

/** What a tool's name admits to: any verb counts, not the first (`get_and_delete_all` deletes). */
export function rateName(name: string): RiskLevel {
  const words = nameWords(name)
  if (words.some((word) => DESTROYS.has(word) || REACHES.has(word))) return 'high'
  return words.some((word) => CHANGES.has(word)) ? 'medium' : 'none'
}
