import { valuedOptionsOf } from '../../../knowledge/programs.ts'
import { plainWords } from '../../path/unresolved-path.ts'
import { finding } from '../../report/finding.ts'
import { type Assess, anyFlag } from '../assessor/assessor.ts'

const POWERFUL = /(?:^|[,: ])(?:sudo|wheel|root|admin|docker|lxd|disk|shadow|adm|kvm|libvirt|staff)(?:$|[,: ])/

/** Flags with which account programs only read. */
const LOOKS: ReadonlyMap<string, readonly string[]> = new Map([
  ['passwd', ['-S', '--status']],
  ['chage', ['-l', '--list']],
  ['visudo', ['-c', '--check', '-V']],
  ['htpasswd', ['-n', '-v']],
  ['chsh', ['-l', '--list-shells']],
  ['dscl', ['-list', '-read', '-search', 'list', 'read']],
  ['pwck', ['-r']],
  ['grpck', ['-r']],
  ['faillock', []],
  ['useradd', []],
])

/** Accounts, groups and passwords. */
export const assessAccounts: Assess = ({ part, program }) => {
  const looks = LOOKS.get(program) ?? []
  if (
    part.args.some(
      ({ value }) =>
        value !== null && (looks.includes(value) || (program === 'htpasswd' && /^-[bBmsd5]*n/.test(value))),
    ) ||
    (program === 'dscl' && /^-?(?:list|read|search)$/.test(part.args[1]?.value ?? ''))
  )
    return finding('none', 'system.accounts', `${program} only reads`)
  if (program === 'useradd' && part.args.length === 1 && anyFlag(part, '-D'))
    return finding('none', 'system.accounts', `${program} only reads`)
  const words = plainWords(part, valuedOptionsOf('useradd'))
  const name = words.at(-1)?.value
  const extent = {
    reach: 'one' as const,
    ...(typeof name === 'string' && /^[\w.@-]{1,64}$/.test(name) ? { target: name } : {}),
  }
  if (program === 'visudo' || program === 'vipw' || program === 'vigr')
    return finding('high', 'system.rights', `${program} changes access rights on this machine`, 'partly')
  const powerful = part.args.some(
    ({ value }, at) =>
      value !== null &&
      POWERFUL.test(value) &&
      (/^-\w*[aG]|^--groups|^--append/.test(part.args[at - 1]?.value ?? '') ||
        program === 'gpasswd' ||
        program === 'adduser'),
  )
  if (powerful)
    return finding('high', 'system.rights', `${program} gives an account administrator rights`, 'yes', extent)
  if (/^(?:userdel|deluser|groupdel|delgroup)$/.test(program))
    return finding(
      'high',
      'system.accounts',
      `${program} deletes an account or a group`,
      anyFlag(part, '-r', '--remove', '--remove-home') ? 'no' : 'partly',
      extent,
    )
  return finding('high', 'system.accounts', `${program} changes accounts or passwords`, 'partly', extent)
}
