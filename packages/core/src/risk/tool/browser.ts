import { byTool } from '../../call/names/name-cache.ts'
import { nameWords } from '../../call/names/words.ts'
import { USER_INTERFACES } from '../../knowledge/compiled/tools.ts'

/** Whether a tool only moves about in a browser or on a screen, or takes its picture. */
export function isLooking(name: string, server: string | null): boolean {
  return looks(name, server ?? '')
}

const looks = byTool((name, server): boolean => {
  const words = nameWords(name)
  if (!isDriver(name, server)) return false
  const own = words.filter((word) => !USER_INTERFACES.drivers.has(word) && !nameWords(server).includes(word))
  if (words.includes('select')) return words.some((word) => /^(?:tab|tabs|page|window)$/.test(word))
  return (
    (own.length > 0 || words.includes('screen')) &&
    own.every((word) => USER_INTERFACES.navigation.has(word) && !USER_INTERFACES.input.has(word))
  )
})

/** Whether a tool drives a browser, a screen or a phone. */
export function isDriver(name: string, server: string | null): boolean {
  return drives(name, server ?? '')
}

const drives = byTool((name, server): boolean =>
  [...nameWords(name), ...nameWords(server)].some((word) => USER_INTERFACES.drivers.has(word)),
)
