import { shellQuote } from '../../call/arguments/command-words.ts'
import type { JsonObject } from '../../call/json/json.ts'
import { nameWords } from '../../call/names/words.ts'
import { ARGUMENT_NAMES, PROGRAM_TOOLS } from '../../knowledge/compiled/tools.ts'

const MAX_CODE = 32 * 1024

/** The code among the arguments, whatever its language. */
export function codeOf(args: JsonObject): string | undefined {
  const key = Object.keys(args).find((name) => ARGUMENT_NAMES.code.has(name.toLowerCase().replace(/[^a-z]/g, '')))
  const code = key === undefined ? undefined : args[key]
  return typeof code === 'string' && code !== '' ? code : undefined
}

/**
 * Code that a tool runs, as a command line that would run the same: so that it is rated as inline code is. Undefined
 * when there is none, null when its language is not known.
 */
export function codeCommand(toolName: string, args: JsonObject): string | null | undefined {
  const code = codeOf(args)
  if (code === undefined) return undefined
  if (code.length > MAX_CODE) return null
  const language = args['language'] ?? args['lang'] ?? args['runtime']
  const words = [...(typeof language === 'string' ? nameWords(language) : []), ...nameWords(toolName)]
  const runner = words.map((word) => PROGRAM_TOOLS.codeRunners.get(word)).find((one) => one !== undefined)
  return runner === undefined ? null : `${runner} ${shellQuote(code)}`
}

/** Whether code runs in a page, where it reaches no files and no programs. */
export function runsInPage(toolName: string, server: string | null): boolean {
  return [...nameWords(toolName), ...nameWords(server ?? '')].some((word) =>
    /^(?:browser|page|playwright|puppeteer|chrome|chromium|firefox|devtools|selenium|webdriver|webview|stagehand|browserbase|tab)$/.test(
      word,
    ),
  )
}
