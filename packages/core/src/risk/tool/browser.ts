import { byTool } from '../../call/names/name-cache.ts'
import { nameWords } from '../../call/names/words.ts'
import { wordSet } from '../arguments/word-set.ts'

/** Servers and prefixes of tools that drive a page, a screen or a phone. */
const DRIVERS = wordSet(
  'browser page playwright puppeteer selenium chrome chromium firefox devtools computer desktop screen ui gui mobile ' +
    'appium android ios adb webdriver stagehand browserbase browserless chromedriver tab window webview simulator emulator',
)
/** Moving about and looking: nothing is pressed, filled or sent. */
const LOOKS = wordSet(
  'navigate navigation goto visit back forward reload refresh scroll hover zoom focus blur resize screenshot ' +
    'snapshot console messages message logs network requests request wait take capture get list find highlight switch ' +
    'new open close select to for page pages tab tabs url title html dom text content accessibility viewport window full ' +
    'size element elements down up left right cursor position mouse move state activate history and the in into view all ' +
    'errors error performance trace metrics cookiesbanner pdf',
)
const PRESSES = wordSet('click tap press type fill submit drag drop upload evaluate execute run select')

/** Whether a tool only moves about in a browser or on a screen, or takes its picture. */
export function isLooking(name: string, server: string | null): boolean {
  return looks(name, server ?? '')
}

const looks = byTool((name, server): boolean => {
  const words = nameWords(name)
  if (!isDriver(name, server)) return false
  const own = words.filter((word) => !DRIVERS.has(word) && !nameWords(server).includes(word))
  if (words.includes('select')) return words.some((word) => /^(?:tab|tabs|page|window)$/.test(word))
  return (own.length > 0 || words.includes('screen')) && own.every((word) => LOOKS.has(word) && !PRESSES.has(word))
})

/** Whether a tool drives a browser, a screen or a phone. */
export function isDriver(name: string, server: string | null): boolean {
  return drives(name, server ?? '')
}

const drives = byTool((name, server): boolean =>
  [...nameWords(name), ...nameWords(server)].some((word) => DRIVERS.has(word)),
)
