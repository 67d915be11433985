import { shellQuote } from '../../call/arguments/command-words.ts'
import { isPageCode } from '../../call/describe/cli-tools.ts'
import type { JsonObject } from '../../call/json/json.ts'
import { letterKey, nameWords } from '../../call/names/words.ts'
import { ARGUMENT_NAMES, PROGRAM_TOOLS } from '../../knowledge/compiled/tools.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import type { RatedCall } from '../report/rating-input.ts'

const MAX_CODE = 32 * 1024

/** The code among the arguments, in any language. */
function codeOf(args: JsonObject): string | undefined {
  const key = Object.keys(args).find((name) => ARGUMENT_NAMES.code.has(letterKey(name)))
  const code = key === undefined ? undefined : args[key]
  return typeof code === 'string' && code !== '' ? code : undefined
}

/**
 * A command line that runs the same code as the tool, so that it is rated like inline code. Undefined if there is no
 * code, null if its language is unknown.
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

/** Whether code runs in a page, where it can't reach files or programs. */
export function runsInPage(toolName: string, server: string | null): boolean {
  return [...nameWords(toolName), ...nameWords(server ?? '')].some((word) =>
    /^(?:browser|page|playwright|puppeteer|chrome|chromium|firefox|devtools|selenium|webdriver|webview|stagehand|browserbase|tab)$/.test(
      word,
    ),
  )
}

const MAX_PAGE_CODE = 64 * 1024

/** The code that a call runs in a web page; undefined if none. */
export function pageCode(call: RatedCall): string | undefined {
  const code = codeOf(call.args)
  if (code === undefined) return undefined
  return runsInPage(call.tool.name, call.tool.server) || isPageCode(code) ? code : undefined
}

const PERSONAL_DATA = /\b(?:cookie|cookieStore|localStorage|sessionStorage|indexedDB)\b|type=.?password|\.password\b/
const PAGE_SECRETS =
  /\bdocument\.cookie\b(?!\s*=[^=])|\bcookieStore\b|storage\.getItem\(.?[\w.-]*(?:token|auth|jwt|session|secret|key)|type=.?password/i
const SENDS =
  /\bfetch\(|XMLHttpRequest|sendBeacon|WebSocket|EventSource|new Image\b|\.src\s*=[^=]|\$\.(?:post|get|ajax)|\baxios\b|\blocation(?:\.href)?\s*=[^=]|location\.(?:assign|replace)\(|window\.open\(|\bimport\(|RTCPeerConnection/
const CHANGES =
  /\bmethod:?.{0,3}(?:POST|PUT|PATCH|DELETE)\b|\.open\(.?(?:POST|PUT|PATCH|DELETE)\b|\$\.post\(|axios\.(?:post|put|patch|delete)\(|sendBeacon\(/i
const SUBMITS = /\.(?:submit|requestSubmit)\b|new Event\(.?submit/
const REMOVES =
  /storage\.(?:clear|removeItem)\b|deleteDatabase\b|cookieStore\.delete\b|caches\.delete\b|\.unregister\(/i
const DYNAMIC_CODE = /\beval\(|\bnew Function\b|\bFunction\(|\batob\(|fromCharCode|\bset(?:Timeout|Interval)\(["'`]/
const LASTING_ACTION =
  /(?:delete|remove|destroy|deactivate|confirm|submit|pay|buy|purchase|checkout|order|send|publish|transfer|approve|grant)/i

/** Rates code that runs in a web page: it reaches no files, but everything the person is signed in to. */
export function ratePageCode(given: string): RiskFinding {
  if (given.length > MAX_PAGE_CODE)
    return finding('high', 'tool.page-long', 'runs code in a web page that is too long to analyze', 'unknown')
  const code = plainCode(given)
  if (PERSONAL_DATA.test(code) && SENDS.test(code))
    return finding('critical', 'tool.page-steals', 'reads personal data in a web page and sends it elsewhere', 'no')
  if (CHANGES.test(code)) return finding('high', 'tool.page-sends', 'sends a request as the signed-in person', 'no')
  if (SUBMITS.test(code)) return finding('high', 'tool.page-submits', 'submits a form in a web page', 'no')
  if (REMOVES.test(code)) return finding('high', 'tool.page-removes', 'deletes data stored by a web page', 'no')
  if (PAGE_SECRETS.test(code))
    return finding('high', 'tool.page-secrets', 'reads cookies, tokens or passwords in a web page', 'no')
  if (DYNAMIC_CODE.test(code))
    return finding('high', 'tool.page-hidden', 'runs code in a web page that is assembled at run time', 'unknown')
  if (/\.click\(/.test(code) && LASTING_ACTION.test(code))
    return finding('high', 'tool.page-presses', 'presses a button with a lasting effect in a web page', 'no')
  return finding('medium', 'tool.page-code', 'runs code in a web page')
}

/** The same code with plain names: `document['coo' + 'kie']` becomes `document.cookie`. */
function plainCode(code: string): string {
  return code
    .replace(
      /\\u\{?([\da-f]{2,6})\}?|\\x([\da-f]{2})/gi,
      (all, long: string | undefined, short: string | undefined) => {
        const point = Number.parseInt(long ?? short ?? '', 16)
        return point > 0x1f && point <= 0x10_ff_ff ? String.fromCodePoint(point) : all
      },
    )
    .replace(/["'`] {0,4}\+ {0,4}["'`]/g, '')
    .replace(/\[ {0,4}["'`]([A-Za-z_$][\w$]{0,64})["'`] {0,4}\]/g, '.$1')
    .replace(/\?\./g, '.')
}
