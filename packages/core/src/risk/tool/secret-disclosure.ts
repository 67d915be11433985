import type { JsonObject } from '../../call/json/json.ts'
import { nameWords } from '../../call/names/words.ts'
import { SECRETS } from '../../knowledge/compiled/tools.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import type { RatedCall } from '../report/rated-call.ts'

const DECRYPTS =
  /^(?:with)?decrypt(?:ion|ed)?$|^reveal(?:ed)?$|^unmask(?:ed)?$|^(?:show|include|with)(?:secrets?|values?|passwords?|sensitive)$|^plaintext$/
const SECRET_NAME = /(?:^|[/_.-])(?:password|passwd|secret|secrets|api[_-]?key|private[_-]?key|credentials?|token)$/i

/** Whether a read hands out a secret: from a store that keeps nothing else, or because an argument asks for its value. */
export function rateReveal({ tool }: RatedCall, objects: readonly JsonObject[]): RiskFinding | null {
  const words = nameWords(tool.name)
  const shows = words.some((word) => SECRETS.revealers.has(word)) && !words.some((word) => SECRETS.namesOnly.has(word))
  const keeps = [...words, ...nameWords(tool.server ?? '')].some((word) => SECRETS.secretStores.has(word))
  if (shows && keeps) return REVEALS
  for (const object of objects.slice(0, 64)) {
    for (const [key, value] of Object.entries(object)) {
      const name = key.toLowerCase().replace(/[^a-z]/g, '')
      if (value === true && DECRYPTS.test(name)) return REVEALS
      if (
        shows &&
        SECRETS.nameArguments.has(name) &&
        isParameter(words) &&
        typeof value === 'string' &&
        SECRET_NAME.test(value.slice(0, 256))
      )
        return REVEALS
    }
  }
  return null
}

function isParameter(words: readonly string[]): boolean {
  return words.some((word) => /^(?:parameters?|variables?|env|config|setting|settings|value|kv|key)$/.test(word))
}

const REVEALS = finding('high', 'tool.reveals', 'shows a secret', 'no')
