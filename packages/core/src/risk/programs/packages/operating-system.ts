import { finding, type RiskFinding } from '../../report/finding.ts'
import { type Assess, anyFlag, anyPrefix, hasUnknown } from '../assessor/assessor.ts'
import { rateVerbs } from '../assessor/rate-verbs.ts'
import { fromElsewhere } from './project-tools.ts'

/** apt, dnf, brew, apk, zypper and similar. */
export const assessSystemPackages: Assess = (facts) => {
  const { part, program } = facts
  const addressed = anyPrefix(part, 'http://', 'https://', 'git@', 'git+')
  if (
    addressed &&
    part.args.some(({ value }) => /^(?:install|in|add|tap|localinstall|reinstall|upgrade)$/.test(value ?? ''))
  )
    return fromElsewhere(program)
  if (
    program === 'brew' &&
    part.args.length > 0 &&
    part.args.every(
      ({ value }) =>
        /^--(?:prefix|cellar|cache|repo|repository|env|config|caskroom)/.test(value ?? '') || !value?.startsWith('-'),
    )
  )
    if (part.args[0]?.value?.startsWith('--') === true)
      return finding('none', 'system-packages.none', 'brew only reads')
  return rateVerbs(facts)
}

type Mode = readonly [test: RegExp, rate: () => RiskFinding]

const reads = (program: string) => finding('none', 'system-packages.none', `${program} only reads`)
const installs = (program: string) =>
  finding('medium', 'system-packages.medium', `${program} installs or removes programs`, 'yes')
const forces = (program: string) =>
  finding(
    'high',
    'system-packages.high',
    `${program} forces a change, or removes programs with their dependencies`,
    'partly',
  )

/** The modes of dpkg, rpm and pacman, which are flags. */
const MODES: Readonly<Record<string, readonly Mode[]>> = {
  dpkg: [
    [/^(?:--force|--purge$|-P$|--remove-reinstreq)/, () => forces('dpkg')],
    [
      /^(?:-[lLsSpcIfxX]|--(?:list|listfiles|status|search|print|contents|info|get-selections|audit|verify|compare-versions|field|help|version|assert-.*|validate-.*|yet-to-unpack))/,
      () => reads('dpkg'),
    ],
  ],
  rpm: [
    [/^(?:--force|--nodeps|--import|--nosignature|--nodigest|--replacefiles)/, () => forces('rpm')],
    [/^(?:-q|-V|-K|--query|--verify|--checksig|--eval|--showrc|-E|--help|--version)/, () => reads('rpm')],
    [/^(?:-e|--erase)/, () => installs('rpm')],
  ],
  pacman: [
    [/^(?:-R[a-z]*[nscd]|--overwrite|-[A-Z][a-z]*dd|--nodeps|-Sc{2,})/, () => forces('pacman')],
    [/^(?:-Q|-F|-S[a-z]*[sigl]|-T|-V|--query|--files|-Dk|-h|--help)/, () => reads('pacman')],
  ],
}

/** dpkg, rpm, pacman: a flag names the action. */
export const assessByMode: Assess = ({ part, program }) => {
  const modes = MODES[program === 'yay' || program === 'paru' ? 'pacman' : program] ?? []
  if (hasUnknown(part) && part.args[0]?.value === null)
    return finding('high', 'packages.unknown', `the effect of ${program} is unknown`, 'unknown')
  if (anyFlag(part, '--dry-run', '--simulate', '--no-act', '--test', '--print'))
    return finding('none', 'packages.dry-run', `${program} only shows what it would do`)
  for (const [test, rate] of modes) if (part.args.some(({ value }) => test.test(value ?? ''))) return rate()
  if (anyPrefix(part, 'http://', 'https://')) return fromElsewhere(program)
  return part.args.length === 0 ? reads(program) : installs(program)
}
