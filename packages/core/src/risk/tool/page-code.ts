import { isPageCode } from '../../call/arguments/browser-script.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import type { RatedCall } from '../report/rating-input.ts'
import { codeOf, runsInPage } from './code.ts'

const MAX_CODE = 64 * 1024

/** Code that a call runs in a web page; undefined when it runs none there. */
export function pageCode(call: RatedCall): string | undefined {
  const code = codeOf(call.args)
  if (code === undefined) return undefined
  return runsInPage(call.tool.name, call.tool.server) || isPageCode(code) ? code : undefined
}

const KEEPS = /\b(?:cookie|cookieStore|localStorage|sessionStorage|indexedDB)\b|type=.?password|\.password\b/
const SECRETS =
  /\bdocument\.cookie\b(?!\s*=[^=])|\bcookieStore\b|storage\.getItem\(.?[\w.-]*(?:token|auth|jwt|session|secret|key)|type=.?password/i
const SENDS =
  /\bfetch\(|XMLHttpRequest|sendBeacon|WebSocket|EventSource|new Image\b|\.src\s*=[^=]|\$\.(?:post|get|ajax)|\baxios\b|\blocation(?:\.href)?\s*=[^=]|location\.(?:assign|replace)\(|window\.open\(|\bimport\(|RTCPeerConnection/
const CHANGES =
  /\bmethod:?.{0,3}(?:POST|PUT|PATCH|DELETE)\b|\.open\(.?(?:POST|PUT|PATCH|DELETE)\b|\$\.post\(|axios\.(?:post|put|patch|delete)\(|sendBeacon\(/i
const SUBMITS = /\.(?:submit|requestSubmit)\b|new Event\(.?submit/
const REMOVES =
  /storage\.(?:clear|removeItem)\b|deleteDatabase\b|cookieStore\.delete\b|caches\.delete\b|\.unregister\(/i
const HIDES = /\beval\(|\bnew Function\b|\bFunction\(|\batob\(|fromCharCode|\bset(?:Timeout|Interval)\(["'`]/
const FELT =
  /(?:delete|remove|destroy|deactivate|confirm|submit|pay|buy|purchase|checkout|order|send|publish|transfer|approve|grant)/i

/** Rates code that runs in a web page: it reaches no files, but all that the person is signed in to. */
export function ratePageCode(given: string): RiskFinding {
  if (given.length > MAX_CODE)
    return finding('high', 'tool.page-long', 'runs code in a web page that is too long to look through', 'unknown')
  const code = plainCode(given)
  if (KEEPS.test(code) && SENDS.test(code))
    return finding('critical', 'tool.page-steals', 'reads what a page keeps of the person and sends it on', 'no')
  if (CHANGES.test(code))
    return finding('high', 'tool.page-sends', 'sends something as the person who is signed in', 'no')
  if (SUBMITS.test(code)) return finding('high', 'tool.page-submits', 'submits a form of a web page', 'no')
  if (REMOVES.test(code)) return finding('high', 'tool.page-removes', 'removes what a page keeps', 'no')
  if (SECRETS.test(code))
    return finding('high', 'tool.page-secrets', 'reads cookies, tokens or passwords of a page', 'no')
  if (HIDES.test(code))
    return finding('high', 'tool.page-hidden', 'runs code in a web page that is put together as it runs', 'unknown')
  if (/\.click\(/.test(code) && FELT.test(code))
    return finding('high', 'tool.page-presses', 'presses something in a web page that is felt', 'no')
  return finding('medium', 'tool.page-code', 'runs code in a web page')
}

/** The same code with names written plainly: `document['coo' + 'kie']` is `document.cookie`. */
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
