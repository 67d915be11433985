import type { CommandPart, CommandWord } from '../../command/model/decomposition.ts'
import { lowerCase } from '../../command/programs/program-names.ts'
import { programRow } from '../../knowledge/programs.ts'
import { isShowable } from '../arguments/displayable-name.ts'
import { optionsOf, provingTable } from '../arguments/known-options.ts'
import type { RatedPart, RiskReport } from '../report/report.ts'

/** Why nothing is proven about a command, with the word that stands in the way; null if that can’t be told. */
export function whyUnproven({ parts }: Pick<RiskReport, 'parts'>): string | null {
  // A command that runs another one is understood by that one.
  const isOuter = (at: number) => parts[at + 1]?.command.via.at(-1) === parts[at]?.command.program
  const open = parts.filter(({ proven }, at) => proven === undefined && !isOuter(at))
  for (const part of open) {
    const why = whyPart(part)
    if (why !== null) return why
  }
  const [first] = open.length > 0 ? open : parts
  if (first === undefined) return null
  const { command } = first
  const row = programRow(lowerCase(command.program ?? ''))
  return `what ${named(command, row === undefined ? '' : optionsOf(command, row).verb)} does here`
}

function whyPart({ command }: RatedPart): string | null {
  const { program, args, via, inside, redirections } = command
  if (program === null) return 'a program whose name is computed'
  const opaque = inside?.opaque[0] ?? inside?.held?.[0]
  if (opaque !== undefined) return `${named(command)}: ${opaque}`
  const wrapper = via.at(-1)
  if (command.origin === undefined && wrapper !== undefined) return `${named(command)}, which ${shown(wrapper)} runs`
  const computed = [...args.map(({ value, text, glob }) => (value === null && !glob ? text : null))].find(
    (text) => text !== null,
  )
  if (computed !== undefined) return `${named(command)}: ${shown(computed)} is not known before it runs`
  if (redirections.some(({ target }) => target === null)) return `${named(command)}: a file that it opens is not known`
  return whyWords(command)
}

function whyWords(part: CommandPart): string | null {
  const row = programRow(lowerCase(part.program ?? ''))
  if (row === undefined || part.program === '') return part.program === '' ? null : `${named(part)}, which is not known`
  const reading = optionsOf(part, row)
  const [unknown] = reading.unknown
  if (unknown !== undefined) return `${named(part)}: ${shown(unknown.name)} is not known`
  const table = provingTable(reading)
  if (table === null) return `${named(part, reading.verb)}, whatever its words are`
  const odd = reading.known.find(({ name, type }) => {
    const isOpen = type === 'runs' || type === 'settings' || type === 'host'
    return isOpen || table.unproven?.includes(name) === true || table.proven?.includes(name) === false
  })
  if (odd !== undefined) return `${named(part)}: ${shown(odd.name)}`
  const word = reading.words.find((one) => isOddWord(one, table.proven_words, table.unproven_words))
  return word === undefined ? null : `${named(part)}: ${shown(word.value ?? word.text)}`
}

function isOddWord({ value }: CommandWord, usual?: string, odd?: string): boolean {
  if (value === null) return true
  return (odd !== undefined && new RegExp(odd).test(value)) || (usual !== undefined && !new RegExp(usual).test(value))
}

function named({ program, origin }: CommandPart, verb = ''): string {
  const name = shown(verb === '' ? (program ?? '') : `${program} ${verb}`)
  return origin === undefined ? name : `${origin.file}:${origin.line} ${name}`
}

/** A word as it may be shown: never one that could be a value with a secret. */
function shown(word: string): string {
  return word.split(' ').every(isShowable) && word.length <= 40 ? `\`${word}\`` : 'a word'
}
