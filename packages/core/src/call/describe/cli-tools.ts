import { PROGRAM_TOOLS } from '../../knowledge/compiled/tools.ts'
import { byName, byTool } from '../names/name-cache.ts'
import { nameWords } from '../names/words.ts'

/** The program a tool is named after, such as `kubectl` for `run_kubectl_command`; Redis also by its server's name. */
export function programOfTool(name: string, server = ''): string | undefined {
  return findProgram(name, server)
}

const findProgram = byTool((name, server): string | undefined => {
  const rest = nameWords(name).filter((word) => !PROGRAM_TOOLS.fillers.has(word))
  if (rest.length === 1) return PROGRAM_TOOLS.programs.get(rest[0] ?? '')
  // A server's name counts for Redis only, whose commands can't be taken for programs.
  const isRedis = nameWords(server).some((word) => PROGRAM_TOOLS.redisServers.has(word))
  return rest.length === 0 && isRedis ? 'redis-cli' : undefined
})

/** Whether a tool's name shows that it runs commands, so that a single word among its arguments is a program. */
export function isShellTool(name: string): boolean {
  return nameWords(name).some((word) => PROGRAM_TOOLS.shells.has(word))
}

/** Whether a tool only runs commands, by every word of its name: `run_process`, `exec`, `spawn`. */
export const isBareShell: (name: string) => boolean = byName(
  (name) =>
    isShellTool(name) &&
    nameWords(name).every((word) => PROGRAM_TOOLS.shells.has(word) || PROGRAM_TOOLS.shellFillers.has(word)),
)

/** Whether a tool's `script` or `code` is in a language other than the shell's. */
export function runsOtherLanguage(name: string, language: unknown, server = ''): boolean {
  if (typeof language === 'string') return !/^(?:ba|z|k|da)?sh$|^shell$|^powershell$/i.test(language)
  return [...nameWords(name), ...nameWords(server)].some((word) => PROGRAM_TOOLS.otherLanguages.has(word))
}

const PAGE_STATEMENT =
  /^\s*(?:return|await)\s+(?:document|window|localStorage|sessionStorage|navigator|location)\.[\w.]{1,200}\(/
const PAGE_CALL = /^\s*(?:document|window|localStorage|sessionStorage|navigator)\.[\w.]{1,200}\(\s*[^\s)]/

/**
 * Whether a text is code for a page that no shell would run. SECURITY: A13, only a single line counts, and only in forms
 * that a shell rejects as a whole: of several lines, a shell runs the first before it rejects another.
 */
export function isPageCode(text: string): boolean {
  if (/[\n\r`$;&|]/.test(text)) return false
  return PAGE_STATEMENT.test(text) || PAGE_CALL.test(text)
}
