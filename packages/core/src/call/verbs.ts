import type { Kind } from './descriptor.ts'
import { nameWords } from './words.ts'

const list = (words: string): readonly string[] => words.trim().split(/\s+/)

/** Verbs by the kind of effect they promise. Only the bare form counts: `deleted` says what a thing is, not what is done. */
const VERBS: { readonly [kind in Exclude<Kind, 'other'>]: readonly string[] } = {
  read: list(`read get list show view search find describe count inspect cat ls stat head tail grep glob lookup status
    info peek preview explain summarize retrieve diff tree pwd whoami ping`),
  fetch: list('fetch download browse crawl scrape curl wget navigate visit goto http request'),
  query: list('query sql select'),
  write:
    list(`write create update edit modify set add insert save append patch put replace change apply upsert store make
    mkdir touch assign close merge commit enable disable configure register import copy cp restore approve sync archive
    overwrite accept authorize confirm lock unlock tag attach grant mark track toggle chmod chown link symlink export checkout rebase stage fork`),
  move: list('move mv rename relocate'),
  send: list(`send post publish notify email mail message reply tweet invite share pay transfer charge refund buy order
    purchase submit broadcast announce comment upload push book withdraw forward subscribe sms call dial donate tip sign`),
  execute:
    list(`run exec execute eval evaluate spawn shell bash sh zsh terminal command launch start invoke trigger deploy
    install build restart stop shutdown reboot halt script python node powershell sudo compile test rollback scale
    schedule queue dispatch act click type press`),
  delete:
    list(`delete remove rm rmdir del drop destroy purge erase wipe clear truncate unlink kill terminate revoke reset
    cancel uninstall prune clean cleanup format shred trash discard flush evict ban deactivate clobber nuke expunge detach`),
}

/** Weakest first. A name with several verbs is taken at its strongest. */
const STRENGTH: readonly Kind[] = ['read', 'fetch', 'query', 'other', 'write', 'move', 'send', 'execute', 'delete']

const KIND_OF: ReadonlyMap<string, Kind> = new Map(
  STRENGTH.flatMap((kind) => (kind === 'other' ? [] : VERBS[kind].map((verb): [string, Kind] => [verb, kind]))),
)

/** Words that are as often a noun. After a leading read verb, and without an `and`, they name what is read: `get_message`. */
const NOUNS: ReadonlySet<string> = new Set(
  list(`message email mail comment order script build command request query test tag post link status info diff tree
    format share call archive commit branch import export http sql node type queue schedule book charge store set shell
    terminal patch change merge fork transfer`),
)
const JOINERS: ReadonlySet<string> = new Set(['and', 'or', 'then', 'also', 'plus', 'with', 'n', 'after', 'before'])

/** A strong verb glued into a longer word, such as `anddeleteall`. Its participles and nouns are left alone. */
const GLUED =
  /(delet|remov|destroy|eras|wip|purg|truncat|execut|exec|sudo|writ|send|upload|deploy|install|kill|updat|modif|overwrit)/
const HARMLESS_ENDING = /(ed|er|ers|or|ors|ion|ions|al|als|able|ten|tten|s)$/

/** What is more than a name (`find(x => y)`) is a text, and a text may say anything. */
const PLAIN_NAME = /^[\w.:/-]+$/

function isStronger(kind: Kind, than: Kind): boolean {
  return STRENGTH.indexOf(kind) > STRENGTH.indexOf(than)
}

export function strongerKind(a: Kind, b: Kind): Kind {
  return isStronger(b, a) ? b : a
}

/**
 * What a name's verbs promise; undefined when it has none we know. A read needs a read verb in first place and nothing
 * stronger, nothing glued and nothing outside ASCII anywhere: `get_and_delete_all` deletes, `list_deleted_files` reads.
 */
export function kindOfName(name: string): Kind | undefined {
  const words = nameWords(name)
  const first = words[0]
  if (first === undefined) return undefined
  const readsFirst = KIND_OF.get(first) === 'read'
  const joined = words.some((word) => JOINERS.has(word))
  let strongest: Kind | undefined
  for (const [index, word] of words.entries()) {
    const kind = KIND_OF.get(word)
    if (kind === undefined || kind === 'read') continue
    if (index > 0 && readsFirst && !joined && NOUNS.has(word)) continue
    strongest = strongest === undefined ? kind : strongerKind(strongest, kind)
  }
  if (strongest !== undefined) return strongest
  if (!readsFirst || !PLAIN_NAME.test(name) || words.some(hidesVerb)) return undefined
  return 'read'
}

function hidesVerb(word: string): boolean {
  if (/[^a-z0-9]/.test(word)) return true
  return !KIND_OF.has(word) && GLUED.test(word) && !HARMLESS_ENDING.test(word)
}
