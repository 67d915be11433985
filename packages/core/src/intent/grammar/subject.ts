import type { Token } from '../text/tokenizer.ts'
import { words } from '../text/words.ts'

/** Parts of programs, and people: what they do is explained, not announced. */
const DESCRIBED =
  words(`function method endpoint hook class flag option cron api component button handler trigger middleware parameter setting keyword
  statement syntax decorator plugin library framework compiler linter browser keyword property attribute
  constructor policy retention garbage collector gc iterator operator module package tool feature docs documentation
  readme example ci scheduler webhook listener callback argument route controller reducer interpreter
  attacker cascade clause constraint ttl expiry code rule workflow loop daemon watcher macro
  función fonction funktion função comando commande befehl
  shortcut menu dialog form page endpoint endpoints`)

/** The same when they are all the subject is: `users will delete`, not `the users table will be dropped`. */
const PEOPLE = words('user users customer customers developer developers people test tests someone anyone')

const DEFINITE = words('the your i we there my our all')

/** What is at hand: what it does will happen. */
const AT_HAND =
  words(`this that it these which they command script migration operation step change changes process job action deploy deployment
  release update query proceeding continuing cleanup procedure plan request call upgrade rollout run doing merge push
  esto este esta eso ceci cela dies das isto isso cette`)

/** Whether what stands before a verb is a thing that documentation explains. */
export function isDescribing(tokens: readonly Token[], from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const token = tokens[at]
    if (token === undefined) break
    if (token.kind === 'code' || DESCRIBED.has(token.word)) return true
  }
  return PEOPLE.has(tokens[to - 1]?.word ?? '') && to > from && isActive(tokens, to)
}

function isActive(tokens: readonly Token[], auxiliary: number): boolean {
  return tokens.slice(auxiliary, auxiliary + 4).every(({ word }) => word !== 'be' && word !== 'being')
}

const ANY = words('remember note pros cons con downside downsides drawback drawbacks advantages disadvantages caveat')

/**
 * Whether what cannot be undone is what is about to happen: named as such, or left unsaid. `TRUNCATE cannot be rolled
 * back` explains; `this cannot be rolled back` warns.
 */
export function isAtHand(tokens: readonly Token[], from: number, to: number): boolean {
  if (isDescribing(tokens, from, to)) return false
  const subject = tokens.slice(from, to).filter(({ kind }) => kind === 'word')
  if (subject.some(({ word }) => AT_HAND.has(word) || DEFINITE.has(word))) return true
  if (tokens.slice(Math.max(0, from - 3), to).some(({ word }) => ANY.has(word))) return false
  return subject.length === 0 || subject.length > 6
}

/** Whether a subject is the step at hand. */
export function isOperation(subject: readonly Token[]): boolean {
  return subject.some(({ word }) => AT_HAND.has(word)) && !isDescribing(subject, 0, subject.length)
}
