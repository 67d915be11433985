import type { CommandPart, PartAssignment } from '../../command/model/decomposition.ts'
import { VARIABLES } from '../../knowledge/compiled/commands.ts'
import { union } from '../../knowledge/words.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import { isQuietSetting } from './safe-variable-values.ts'

const LOADER = /^(?:LD_(?:PRELOAD|LIBRARY_PATH|AUDIT)|DYLD_\w+|BASH_FUNC_.*)$/s
const GIT = /^GIT_/
const HARMLESS_GIT =
  /^GIT_(?:(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|TERMINAL_PROMPT|TRACE\w*|OPTIONAL_LOCKS|MERGE_AUTOEDIT|LFS_SKIP_SMUDGE|DISCOVERY_ACROSS_FILESYSTEM|CEILING_DIRECTORIES|DEPTH|COMMIT|SHA|BRANCH|TAG|REF)$/
const NPM = /^npm_config_(?:registry|script_shell|node_options|ignore_scripts|userconfig|globalconfig|prefix|shell)$/i

const HIDES = finding('high', 'environment.history', 'keeps its traces out of the history')

/** All programs that set a variable, or hide what they do, without an assignment. */
const SLIPS = union(VARIABLES.setters, ['printf', 'hash', 'enable', 'unset', 'set'])

/** A function handed to every shell that starts: no name of a variable, so it stands among the words. */
const SLIPS_FUNCTION = /^BASH_FUNC_[^=]{1,255}=/

/** Rates the variables a command sets. */
export function rateEnvironment(part: CommandPart): RiskFinding | null {
  if (part.text.includes('BASH_FUNC_') && slipsFunction(part)) return injection('a function')
  const slipped = rateSlipped(part)
  if (slipped !== null || part.assignments.length === 0) return slipped
  let worst: RiskFinding | null = part.program === '' ? finding('low', 'environment.set', 'sets variables') : null
  for (const assignment of part.assignments) {
    const one = rateAssignment(assignment, part.program)
    if (one === null) continue
    if (one.level === 'high') return one
    worst = one
  }
  return worst
}

function slipsFunction({ path, program, args }: CommandPart): boolean {
  const takes = program === 'env' || program === 'export' || program === 'declare' || program === 'sudo'
  return (
    SLIPS_FUNCTION.test(path ?? '') || (takes && args.some(({ value, text }) => SLIPS_FUNCTION.test(value ?? text)))
  )
}

/** Names come from fixed lists or fixed shapes; a value is never shown. */
function rateAssignment(assignment: PartAssignment, program: string | null): RiskFinding | null {
  const { name } = assignment
  if (/^HIST(?:FILE)?SIZE$/.test(name) && assignment.value === '0') return HIDES
  const listed = VARIABLES.injecting.has(name)
  if (!listed && !VARIABLES.redirecting.has(name) && !LOADER.test(name) && !GIT.test(name) && !NPM.test(name))
    return null
  if (HARMLESS_GIT.test(name)) return null
  if (name === 'IFS' && program === 'read') return null
  const quiet = isQuietSetting(assignment)
  if (quiet === 'harmless') return null
  if (quiet === 'usual' || VARIABLES.redirecting.has(name))
    return finding('medium', 'environment.usual', `sets ${name}, which changes what is found`)
  return injection(listed ? name : 'a variable')
}

function injection(what: string): RiskFinding {
  return finding('high', 'environment.injection', `sets ${what} that changes which code runs`, 'unknown')
}

/** Ways around the equals sign: `read PATH`, `printf -v PATH`, `hash -p`, `enable -f`, and traces that are switched off. */
function rateSlipped(part: CommandPart): RiskFinding | null {
  const { program, args } = part
  if (program === null || args.length === 0 || !SLIPS.has(program)) return null
  if (VARIABLES.setters.has(program) || program === 'printf') {
    const named = args.find(
      ({ value }, at) => value !== null && isInjecting(value) && (program !== 'printf' || args[at - 1]?.value === '-v'),
    )
    return named === undefined ? null : injection(named.value ?? 'a variable')
  }
  if ((program === 'hash' && args[0]?.value === '-p') || (program === 'enable' && args[0]?.value === '-f'))
    return finding('high', 'environment.injection', `${program} puts another program behind a name`, 'unknown')
  const hides =
    (program === 'unset' && args.some(({ value }) => value === 'HISTFILE' || value === 'HISTSIZE')) ||
    (program === 'set' && args[0]?.value === '+o' && args[1]?.value === 'history')
  return hides ? HIDES : null
}

function isInjecting(name: string): boolean {
  return (
    (VARIABLES.injecting.has(name) && name !== 'IFS') ||
    LOADER.test(name) ||
    (GIT.test(name) && !HARMLESS_GIT.test(name))
  )
}
