import type { CommandPart, CommandWord } from '../../command/model/decomposition.ts'
import { findVerb } from '../../command/programs/subcommand.ts'
import { GRANTS } from '../../knowledge/compiled/commands.ts'
import type { ShownWords } from '../model/grant.ts'

/** A URL, a host, a refspec, another folder. */
const ELSEWHERE = /^[/~+]|:|(?:^|\/)\.\.(?:\/|$)/
/** A name in a registry, with a version. */
const PACKAGE = /^(?:@[\w.~-]+\/)?[\w~][\w.~-]*(?:\[[\w,-]+\])?(?:(?:@|[=~<>!]=|[<>])[\w.^~*<>=-]+)?$/
const ARCHIVE = /\.(?:tgz|tar(?:\.\w+)?|whl|zip|gem|crate|nupkg|jar)$/i
/** The kind of the operands that a verb leaves open. */
const OPERAND_KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries(GRANTS.operandKinds).flatMap(([kind, verbs]) => (verbs ?? []).map((verb) => [verb, kind] as const)),
)

/**
 * The words of a command that a grant by pattern does not leave open: what changes where something goes or what runs. Null
 * if the verb is not known.
 */
export function shownWords(part: CommandPart, verb: string): ShownWords | null {
  const found = findVerb(part)
  if (found.kind !== 'verb' || part.program === null) return null
  const after = found.rest.slice(verb.split(' ').length - 1)
  const before = part.args.slice(0, part.args.length - found.rest.length - 1)
  const { program } = part
  const isFree = GRANTS.freeVerbs.has(`${program} ${verb}`)
  const options = new Set<string>()
  const elsewhere = new Set<string>()
  let operand: string | null = null
  const words = [...before, ...after]
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (word === undefined) continue
    const text = word.value ?? word.text
    if (word.value !== null && text.startsWith('-') && text !== '-' && text !== '--') {
      const name = text.split('=', 1)[0] ?? text
      const next = words[at + 1]
      const hasValue = next !== undefined && !(next.value ?? next.text).startsWith('-')
      if (GRANTS.textOptions.has(name)) at += hasValue && name === text ? 1 : 0
      else if (!GRANTS.freeOptions.has(name))
        options.add(hasValue && name === text ? `${text} ${next.value ?? next.text}` : text)
      continue
    }
    if (!isFree) operand ??= text
    if (word.value === null || leadsElsewhere(word, program)) elsewhere.add(text)
  }
  const kind = OPERAND_KINDS.get(`${program} ${verb}`)
  const open = kind === undefined ? {} : { open: `<${kind}>` }
  return { operand, options: [...options].sort(), elsewhere: [...elsewhere].sort(), ...open }
}

function leadsElsewhere({ value, text, glob }: CommandWord, program: string): boolean {
  const word = value ?? text
  if (ELSEWHERE.test(word)) return true
  return GRANTS.packageManagers.has(program) && (glob || !PACKAGE.test(word) || ARCHIVE.test(word))
}

/**
 * SECURITY: A11 whether a command is within what was shown: the same first operand, exactly the same options (one less may
 * do more), and no other word that leads elsewhere.
 */
export function isWithinShown(part: CommandPart, verbs: readonly string[], shown: ShownWords): boolean {
  return verbs.some((verb) => {
    const words = shownWords(part, verb)
    if (words === null || words.operand !== shown.operand) return false
    const isSame =
      words.options.length === shown.options.length && words.options.every((one) => shown.options.includes(one))
    return isSame && words.elsewhere.every((one) => shown.elsewhere.includes(one))
  })
}
