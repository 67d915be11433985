import { rowList } from '../../../knowledge/programs.ts'
import { finding } from '../../report/finding.ts'
import { type Assess, anyFlag, anyWord } from '../assessor/assessor.ts'
import { rateVerbs } from '../assessor/rate-verbs.ts'

const CHANGES = 'changes a virtual machine'
const DELETES = 'deletes or powers off a virtual machine, or deletes a snapshot'

const LOSES = new Set(['delete', 'restore', 'poweroff', 'reset'])

/** VirtualBox. */
export const assessVirtualBox: Assess = (facts) =>
  /^(?:snapshot|controlvm)$/.test(facts.part.args[0]?.value ?? '') && anyWord(facts.part, LOSES)
    ? finding('high', 'machines.high', `${facts.program} ${DELETES}`, 'no')
    : rateVerbs(facts)

/** WSL: the command it runs is rated as its own part. */
export const assessWsl: Assess = ({ part, program, hasInner }) => {
  if (anyWord(part, WSL_DELETES))
    return finding('critical', 'machines.critical', `${program} deletes a whole Linux system`, 'no')
  if (anyWord(part, rowList('wsl', 'changing_options')))
    return finding('medium', 'machines.medium', `${program} ${CHANGES}`)
  if (anyWord(part, rowList('wsl', 'reading_options'))) return finding('none', 'machines.none', `${program} only reads`)
  const session = !hasInner && !anyFlag(part, '-e', '--exec')
  return session
    ? finding('medium', 'machines.session', `${program} opens a session`)
    : finding('low', 'machines.low', `${program} runs the command shown in another Linux system`)
}

const WSL_DELETES = new Set(['--unregister'])
