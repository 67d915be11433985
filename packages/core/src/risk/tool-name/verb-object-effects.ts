import { type Effect, GUARDS, LIVE, MACHINES, STORES, WHOLES } from './vocabulary.ts'

/** To archive, close, lock or switch off is small for a page or a task, and felt for a channel, a repository, a guard. */
export function effectOnWholes(verb: string, head: string, words: readonly string[]): Effect | null {
  switch (verb) {
    case 'archive':
    case 'lock':
      return WHOLES.has(head) ? 'remote' : null
    case 'close':
      if (/^(?:accounts?|positions?)$/.test(head)) return head.startsWith('account') ? 'destroy' : 'pay'
      return WHOLES.has(head) || /^(?:period|books|quarter|year|ledger)$/.test(head) ? 'remote' : null
    case 'block':
      return /^(?:time|slot|calendar|hours?)$/.test(head) ? 'write' : null
    case 'seed':
    case 'upgrade':
    case 'downgrade':
      if (/^(?:subscription|plan|seats?|tier)$/.test(head)) return 'pay'
      return STORES.has(head) || MACHINES.has(head) ? 'remote' : null
    case 'adjust':
      return /^(?:balance|credit|payout)$/.test(head) ? 'pay' : null
    case 'disable':
      if (MACHINES.has(head)) return 'remote'
      return isGuard(head, words) ? 'admin' : null
    case 'overwrite':
    case 'alter':
    case 'replace':
      return STORES.has(head) ? 'remote' : null
    case 'upload':
    case 'push':
      return LIVE.has(head) || PUBLISHED.test(head) || (verb === 'push' && /^images?$/.test(head)) ? 'remote' : null
    case 'anonymize':
    case 'redact':
    case 'void':
    case 'forget':
      return PEOPLE.test(head) ? 'destroy' : null
    case 'sign':
      return /^(?:documents?|contracts?|agreements?|envelopes?|pdf)$/.test(head) ? 'admin' : null
    case 'open':
      if (/^(?:urls?|page|link|website|nodes)$/.test(head) || words.includes('url')) return 'look'
      return /^(?:doors?|garage|gates?|valves?|ports?|locks?)$/.test(head) ? 'admin' : null
    case 'unlock':
      return /^(?:doors?|garage|gates?|valves?|ports?|locks?)$/.test(head) ? 'admin' : null
    case 'approve':
      return /^(?:drafts?|comments?|suggestions?|edits?)$/.test(head) ? 'write' : null
    case 'request':
    case 'call':
      return /^(?:ride|taxi|pickup|delivery|cab|uber)$/.test(head) ? 'pay' : null
    case 'update':
      return words.at(-1) === 'query' && words.includes('by') ? 'remote' : null
    case 'run':
    case 'execute':
    case 'perform':
      return /^(?:reports?|search|lookup|calculation|healthcheck)$/.test(head) ? 'look' : null
    case 'expose':
      return 'admin'
    case 'power':
      return words.some((word) => /^(?:off|down|cycle|reset)$/.test(word)) ? 'remote' : null
    case 'checkout':
      return words.some((word) => /^(?:cart|basket|order|session)$/.test(word)) ? 'pay' : null
    case 'mute':
    case 'silence':
    case 'skip':
    case 'unregister':
    case 'pause':
      return isGuard(head, words) ? 'admin' : null
    case 'submit':
      if (words.some((word) => LIVE.has(word) || /^(?:production|store)$/.test(word))) return 'remote'
      return /^(?:tax|taxes|return|application|claim|bid|proposal|petition|manuscript)$/.test(head) ? 'send' : null
    case 'resolve':
      return words.some((word) =>
        /^(?:ids?|library|dns|path|symbol|reference|name|hostname|url|alias|import)$/.test(word),
      )
        ? 'read'
        : null
    case 'create':
    case 'generate':
    case 'issue':
    case 'mint':
    case 'new':
      return /^(?:tokens?|service_account)$/.test(head) || words.join(' ').includes('service account') ? 'admin' : null
    case 'add':
    case 'invite':
      return /^members?$/.test(head) &&
        words.some((word) => /^(?:team|org|organization|group|project|workspace)$/.test(word))
        ? 'admin'
        : null
    default:
      return null
  }
}

/** What is there for all once it is uploaded. */
const PUBLISHED = /^(?:packages?|gem|crate|wheel|artifact|app|bundle|chart|module|plugin|extension)$/
/** People, and what is kept about each of them. */
export const PEOPLE =
  /^(?:users?|customers?|subscribers?|students?|orders?|records?|accounts?|persons?|contacts?|members?|employees?|patients?|data|invoices?|payments?)$/

function isGuard(head: string, words: readonly string[]): boolean {
  return GUARDS.has(head) || words.some((word) => /^(?:mfa|2fa|protection|security|backups?|alarms?)$/.test(word))
}
