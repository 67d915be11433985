/** A set of words written as one text: how this folder spells its lists. */
export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''))
}

/** How a word of action stands in a sentence. `self` is a first person that needs no other word to be an announcement. */
export type VerbForm = 'base' | 'ing' | 'past' | 'third' | 'self'

const DOUBLED = words('cancel reset submit transfer commit unset rerun')
const SHORT = /^[^aeiou]*[aeiou][^aeiouwxy]$/
const UNCHANGED = words('set put cut shut reset let hit unset bid')
const IRREGULAR: Readonly<Record<string, string>> = {
  send: 'sent',
  resend: 'resent',
  pay: 'paid',
  buy: 'bought',
  sell: 'sold',
  run: 'ran',
  take: 'took taken',
  give: 'gave given',
  overwrite: 'overwrote overwritten',
  rewrite: 'rewrote rewritten',
  get: 'got gotten',
  withdraw: 'withdrew withdrawn',
  tear: 'tore torn',
  blow: 'blew blown',
  bring: 'brought',
  undo: 'undid undone',
  go: 'went gone',
  rebuild: 'rebuilt',
  break: 'broke broken',
  lose: 'lost',
  write: 'wrote written',
  tell: 'told',
  throw: 'threw thrown',
  rip: 'ripped',
  spin: 'spun',
  stand: 'stood',
  burn: 'burned burnt',
  freeze: 'froze frozen',
  wind: 'wound',
  show: 'showed shown',
  hide: 'hid hidden',
  do: 'did done',
  begin: 'began begun',
  see: 'saw seen',
  find: 'found',
  read: 'read',
  build: 'built',
  make: 'made',
  say: 'said',
  keep: 'kept',
  leave: 'left',
}

/** The forms of an English verb: `delete deletes deleting deleted`. */
export function inflect(verb: string): readonly (readonly [string, VerbForm])[] {
  const last = verb.at(-1) ?? ''
  const isDoubled = DOUBLED.has(verb) || (verb.length > 2 && SHORT.test(verb))
  const stem = last === 'e' && !verb.endsWith('ee') ? verb.slice(0, -1) : isDoubled ? verb + last : verb
  const isConsonantY = last === 'y' && !/[aeiou]y$/.test(verb)
  const third = isConsonantY ? `${verb.slice(0, -1)}ies` : /(s|x|z|ch|sh|o)$/.test(verb) ? `${verb}es` : `${verb}s`
  const past = UNCHANGED.has(verb)
    ? []
    : (IRREGULAR[verb]?.split(' ') ?? [isConsonantY ? `${verb.slice(0, -1)}ied` : `${stem}ed`])
  return [
    [verb, 'base'],
    [third, 'third'],
    [`${stem}ing`, 'ing'],
    ...past.map((one): readonly [string, VerbForm] => [one, 'past']),
  ]
}
