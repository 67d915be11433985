import type { JsonObject } from '../../call/json/json.ts'
import { nameWords } from '../../call/names/words.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import type { RatedCall } from '../report/rated-call.ts'

const KEEPERS =
  /^(?:vault|hashivault|secretsmanager|keyvault|1password|onepassword|bitwarden|lastpass|keepass|keychain|doppler|infisical)$/
const SHOWS = /^(?:get|read|show|view|retrieve|fetch|reveal|access|decrypt|export|dump|copy)$/
const NAMES_ONLY = /^(?:list|status|health|policy|policies|metadata|versions?|search|mounts?|info|schema|config)$/
const DECRYPTS =
  /^(?:with)?decrypt(?:ion|ed)?$|^reveal(?:ed)?$|^unmask(?:ed)?$|^(?:show|include|with)(?:secrets?|values?|passwords?|sensitive)$|^plaintext$/
const SECRET_NAME = /(?:^|[/_.-])(?:password|passwd|secret|secrets|api[_-]?key|private[_-]?key|credentials?|token)$/i
const NAMED = /^(?:name|names|key|parameter|parametername|secretid|secretname|id)$/

/** Whether a read hands out a secret: from a store that keeps nothing else, or because an argument asks for its value. */
export function rateReveal({ tool }: RatedCall, objects: readonly JsonObject[]): RiskFinding | null {
  const words = nameWords(tool.name)
  const shows = words.some((word) => SHOWS.test(word)) && !words.some((word) => NAMES_ONLY.test(word))
  const keeps = [...words, ...nameWords(tool.server ?? '')].some((word) => KEEPERS.test(word))
  if (shows && keeps) return REVEALS
  for (const object of objects.slice(0, 64)) {
    for (const [key, value] of Object.entries(object)) {
      const name = key.toLowerCase().replace(/[^a-z]/g, '')
      if (value === true && DECRYPTS.test(name)) return REVEALS
      if (
        shows &&
        NAMED.test(name) &&
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
