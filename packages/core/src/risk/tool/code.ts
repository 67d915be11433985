import { shellQuote } from '../../call/arguments/command-words.ts'
import type { JsonObject } from '../../call/json/json.ts'
import { nameWords } from '../../call/names/words.ts'

const MAX_CODE = 32 * 1024

/** How each language's program is given code on the command line. */
const RUNNERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    python: 'python3 -c',
    python3: 'python3 -c',
    py: 'python3 -c',
    ipython: 'python3 -c',
    jupyter: 'python3 -c',
    notebook: 'python3 -c',
    javascript: 'node -e',
    js: 'node -e',
    node: 'node -e',
    nodejs: 'node -e',
    typescript: 'node -e',
    ts: 'node -e',
    ruby: 'ruby -e',
    perl: 'perl -e',
    php: 'php -r',
    bash: 'bash -c',
    sh: 'bash -c',
    shell: 'bash -c',
  }),
)
const CODE_NAMES = new Set([
  'code',
  'script',
  'source',
  'sourcecode',
  'snippet',
  'expression',
  'function',
  'program',
  'cell',
  'pagefunction',
  'javascript',
  'js',
])

/** The code among the arguments, whatever its language. */
export function codeOf(args: JsonObject): string | undefined {
  const key = Object.keys(args).find((name) => CODE_NAMES.has(name.toLowerCase().replace(/[^a-z]/g, '')))
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
  const runner = words.map((word) => RUNNERS.get(word)).find((one) => one !== undefined)
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
