import { rowList } from '../../../knowledge/programs.ts'
import { arityOfRow, hasOption, lastValue, readArgs } from '../../arguments/argument-parser.ts'
import { targetNamed } from '../../arguments/displayable-name.ts'
import { finding } from '../../report/finding.ts'
import type { Assess } from '../assessor/assessor.ts'
import { isProduction } from '../assessor/production-target.ts'
import { matchVerb } from '../assessor/rate-verbs.ts'

const INTERACTIVE = new Set(['-i', '--interactive'])

/** `rclone`: with `-i` it asks before it deletes. */
export const assessRclone: Assess = (facts) => {
  const { finding: found, reading } = matchVerb(facts)
  return found.level === 'critical' && hasOption(reading, INTERACTIVE) ? { ...found, level: 'high' } : found
}

/** `twilio`, `slack`, `signal-cli` and similar: people receive what they send. */
export const assessMessages: Assess = ({ part, program }) => {
  const words = part.args.map(({ value }) => value ?? '').filter((word) => word !== '' && !word.startsWith('-'))
  const first = words[0] ?? ''
  if (words.length === 0 && program !== 'telegram-send')
    return finding('none', 'services.bare', `${program} has nothing to send`)
  if (/^(?:login|logout|profiles:|config|auth|plugins|autocomplete)/.test(first))
    return finding('medium', 'services.configure', `${program} signs in or changes its settings`, 'yes')
  if (
    /(?:^|:)(?:list|fetch|help|version|listContacts|listGroups|receive|logs|debugger)/.test(first) ||
    /:(?:list|fetch|logs)\b/.test(words.slice(0, 2).join(':'))
  )
    return finding('none', 'services.read', `${program} only reads`)
  if (/(?:^|:)(?:remove|delete)$/.test(first))
    return finding('high', 'services.delete', `${program} deletes something in an account`, 'no')
  return finding('high', 'services.message', `${program} sends messages or changes an account`, 'no')
}

const CHECKS = new Set(['--check', '-C', '--syntax-check', '--list-hosts', '--list-tasks', '--list-tags'])
const MODULE = new Set(['-m', '--module-name'])
const LIMIT = new Set(['-l', '--limit'])

/** `ansible` and `ansible-playbook`: they change other machines, unless they only check or read. */
export const assessAnsible: Assess = ({ part, program, row }) => {
  const reading = readArgs(part, arityOfRow(row))
  if (hasOption(reading, CHECKS))
    return finding('none', 'infrastructure.dry-run', `${program} only shows what it would do`)
  const [first] = reading.words
  if (first === undefined) return finding('none', 'infrastructure.bare', `${program} has nothing to do`)
  const module = lastValue(reading, MODULE)
  if (program === 'ansible' && typeof module === 'string' && rowList('ansible', 'reading_modules').has(module))
    return finding('none', 'infrastructure.read', `${program} only reads from other machines`)
  const hosts = program === 'ansible' ? first.value : (lastValue(reading, LIMIT) ?? null)
  const all = hosts === null || hosts === 'all' || hosts === '*'
  const where = typeof hosts === 'string' && isProduction(hosts) ? ', in production' : ''
  return finding('high', 'infrastructure.machines', `${program} changes other machines${where}`, 'partly', {
    reach: all ? 'all' : 'several',
    ...targetNamed(hosts),
  })
}
