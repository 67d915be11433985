import type { CommandPart, PartAssignment } from '../../command/model/decomposition.ts'
import { VARIABLES } from '../../knowledge/compiled/commands.ts'
import { union } from '../../knowledge/words.ts'
import { finding, type RiskFinding } from '../report/finding.ts'

const LOADER = /^(?:LD_(?:PRELOAD|LIBRARY_PATH|AUDIT)|DYLD_\w+|BASH_FUNC_.*)$/s
const GIT = /^GIT_/
const HARMLESS_GIT =
  /^GIT_(?:(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|TERMINAL_PROMPT|TRACE\w*|OPTIONAL_LOCKS|MERGE_AUTOEDIT|LFS_SKIP_SMUDGE|DISCOVERY_ACROSS_FILESYSTEM|CEILING_DIRECTORIES|DEPTH|COMMIT|SHA|BRANCH|TAG|REF)$/
const NPM = /^npm_config_(?:registry|script_shell|node_options|ignore_scripts|userconfig|globalconfig|prefix|shell)$/i

const HIDES = finding('high', 'environment.history', 'hides commands from the history')

/** Builtins that set a variable, or hide a command, without an assignment. */
const SETTING_BUILTINS = union(VARIABLES.setters, ['printf', 'hash', 'enable', 'unset', 'set'])

/** A function exported to every shell that starts. The name is not valid in an assignment, so it is an ordinary word. */
const EXPORTED_FUNCTION = /^BASH_FUNC_[^=]{1,255}=/

/** Rates the variables a command sets. */
export function rateEnvironment(part: CommandPart): RiskFinding | null {
  if (part.text.includes('BASH_FUNC_') && exportsFunction(part)) return injection('a function')
  const builtin = rateBuiltin(part)
  if (builtin !== null || part.assignments.length === 0) return builtin
  let worst: RiskFinding | null = part.program === '' ? finding('low', 'environment.set', 'sets variables') : null
  for (const assignment of part.assignments) {
    const one = rateAssignment(assignment, part.program)
    if (one === null) continue
    if (one.level === 'high') return one
    worst = one
  }
  return worst
}

function exportsFunction({ path, program, args }: CommandPart): boolean {
  const takes = program === 'env' || program === 'export' || program === 'declare' || program === 'sudo'
  return (
    EXPORTED_FUNCTION.test(path ?? '') ||
    (takes && args.some(({ value, text }) => EXPORTED_FUNCTION.test(value ?? text)))
  )
}

/** Reasons name only variables of fixed lists or shapes, and never a value. */
function rateAssignment(assignment: PartAssignment, program: string | null): RiskFinding | null {
  const { name } = assignment
  if (/^HIST(?:FILE)?SIZE$/.test(name) && assignment.value === '0') return HIDES
  const listed = VARIABLES.injecting.has(name)
  if (!listed && !VARIABLES.redirecting.has(name) && !LOADER.test(name) && !GIT.test(name) && !NPM.test(name))
    return null
  if (HARMLESS_GIT.test(name)) return null
  if (name === 'IFS' && program === 'read') return null
  const usage = usageOf(assignment)
  if (usage === 'harmless') return null
  if (usage === 'usual' || VARIABLES.redirecting.has(name))
    return finding('medium', 'environment.usual', `sets ${name}, which changes where programs look`)
  return injection(listed ? name : 'a variable')
}

function injection(what: string): RiskFinding {
  return finding('high', 'environment.injection', `sets ${what}, which changes which code runs`, 'unknown')
}

/** Ways to set a variable without an equals sign (`read PATH`, `printf -v PATH`, `hash -p`, `enable -f`) or to hide. */
function rateBuiltin(part: CommandPart): RiskFinding | null {
  const { program, args } = part
  if (program === null || args.length === 0 || !SETTING_BUILTINS.has(program)) return null
  if (VARIABLES.setters.has(program) || program === 'printf') {
    const named = args.find(
      ({ value }, at) => value !== null && isInjecting(value) && (program !== 'printf' || args[at - 1]?.value === '-v'),
    )
    return named === undefined ? null : injection(named.value ?? 'a variable')
  }
  if ((program === 'hash' && args[0]?.value === '-p') || (program === 'enable' && args[0]?.value === '-f'))
    return finding('high', 'environment.injection', `${program} runs another program under a known name`, 'unknown')
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

/** Whether a value is harmless, usual in everyday work, or neither. */
type Usage = 'harmless' | 'usual' | null

const FLAGS = /^(?:0|1|true|false|yes|no|on|off|\d{1,9})?$/i
const NODE_FLAGS =
  /^(?:\s*--(?:max[-_]old[-_]space[-_]size=\d{1,6}|max[-_]semi[-_]space[-_]size=\d{1,6}|experimental-[\w-]+|openssl-legacy-provider|no-warnings(?:=\w+)?|no-deprecation|enable-source-maps|trace-(?:warnings|deprecation|uncaught)|unhandled-rejections=\w+|stack-trace-limit=\d+|conditions=\w+|expose-gc|inspect(?:-brk)?))+\s*$/
const JAVA_FLAGS = /^(?:\s*-(?:Xm[xsn]\d+[kKmMgG]?|XX:[+-]?\w+(?:=\w+)?|D[\w.]+=[\w.:/-]*|ea|server))+\s*$/
const GO_FLAGS =
  /^(?:\s*-(?:mod=(?:mod|vendor|readonly)|race|v|count=\d+|tags=[\w,]+|p=\d+|trimpath|buildvcs=\w+))+\s*$/
const MAKE_FLAGS = /^(?:\s*-?(?:j\s?\d*|k|s|r|B|w|-no-print-directory|-silent|O\w*))+\s*$/
const SSH_COMMAND =
  /^["']?ssh(?: -(?:i ?[^\s;&|$`]+|p ?\d+|v+|q|F \/dev\/null|o ?(?:IdentitiesOnly|StrictHostKeyChecking|UserKnownHostsFile|BatchMode|ConnectTimeout|LogLevel)=[\w./-]+))*["']?$/
/** Folders that people put on their PATH. */
const TOOL_FOLDER =
  /^(?:["']?(?:\$\{?PATH\}?|\/usr(?:\/local)?\/s?bin|\/s?bin|\/usr\/local\/[\w.+-]+(?:\/[\w.+-]+)*\/bin|\/usr\/lib\/[\w.+/-]+|\/opt\/[\w.+/-]+|\/snap\/bin|\/nix\/[\w./-]+|(?:~|\$\{?HOME\}?)\/(?:\.local\/bin|\.?[\w.-]+(?:\/[\w.*-]+){0,6}\/bin|bin|\.bun\/bin|go\/bin)|(?:\.\/|\$\{?PWD\}?\/|\$\(pwd\)\/)?(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)|\$\{?(?:JAVA_HOME|GOPATH|GOROOT|CARGO_HOME|PNPM_HOME|BUN_INSTALL|NVM_BIN|VIRTUAL_ENV|ANDROID_HOME|FLUTTER_HOME|PYENV_ROOT)\}?(?:\/[\w.-]+)*|\$\((?:npm bin|go env GOPATH|npm root -g|yarn global bin|brew --prefix)\)(?:\/[\w.-]+)*)["']?)$/
const PROJECT_FOLDER =
  /^["']?(?:\.{0,1}[\w-][\w.-]*(?:\/[\w.-]+)*|\.|\.\/[\w./-]*|\$\{?PWD\}?(?:\/[\w./-]+)?|\$\(pwd\)(?:\/[\w./-]+)?|\$\{?(?:PYTHONPATH|NODE_PATH|PERL5LIB|RUBYLIB)(?::[-+][^}]{0,32})?\}?)?["']?$/

/** Whether the value of an injecting variable is one that everyday work uses. */
function usageOf({ name, value, text }: PartAssignment): Usage {
  const given = value ?? text ?? ''
  if (given.length > 1024) return null
  if (value !== null && VARIABLES.programs.has(name) && (value === '' || VARIABLES.safePrograms.has(value)))
    return 'harmless'
  if (/^GIT_/.test(name)) return gitUsage(name, value)
  if (/^npm_config_/i.test(name)) return value !== null && FLAGS.test(value) ? 'harmless' : null
  switch (name) {
    case 'PATH':
      return every(text ?? given, TOOL_FOLDER) ? 'usual' : null
    case 'LD_LIBRARY_PATH':
    case 'DYLD_LIBRARY_PATH':
      return every((text ?? given).replace(/\$\{?(?:DY)?LD_LIBRARY_PATH\}?/, '$PATH'), TOOL_FOLDER) ? 'usual' : null
    case 'IFS':
      return value !== null && /^[\n\t ,:;|]{0,3}$/.test(value) ? 'harmless' : null
    case 'NODE_OPTIONS':
      return value !== null && NODE_FLAGS.test(value) ? 'harmless' : null
    case 'JAVA_TOOL_OPTIONS':
    case '_JAVA_OPTIONS':
    case 'JDK_JAVA_OPTIONS':
    case 'MAVEN_OPTS':
      return value !== null && JAVA_FLAGS.test(value) ? 'harmless' : null
    case 'GOFLAGS':
      return value !== null && GO_FLAGS.test(value) ? 'harmless' : null
    case 'MAKEFLAGS':
      return value !== null && MAKE_FLAGS.test(value) ? 'harmless' : null
    case 'RUSTC_WRAPPER':
      return value === '' || value === 'sccache' ? 'harmless' : null
    case 'SHELL':
      return value !== null && /^\/(?:usr\/)?(?:local\/)?bin\/(?:ba|z|da|k)?sh$/.test(value) ? 'harmless' : null
    case 'LESS':
      return value !== null && /^-?[a-zA-Z]{0,12}$/.test(value) ? 'harmless' : null
    case 'PS0':
    case 'PS1':
    case 'PS2':
    case 'PS4':
      return value !== null && !value.includes('$(') && !value.includes('`') ? 'harmless' : null
    case 'NODE_EXTRA_CA_CERTS':
      return 'usual'
    case 'PERL5OPT':
      return value === '-w' ? 'harmless' : null
    case 'PYTHONINSPECT':
      return 'harmless'
    default:
      return VARIABLES.libraryPaths.has(name) && every(text ?? given, PROJECT_FOLDER) ? 'harmless' : null
  }
}

function gitUsage(name: string, value: string | null): Usage {
  if (value === null) return name === 'GIT_DIR' || name === 'GIT_WORK_TREE' ? 'usual' : null
  if (name === 'GIT_SSH_COMMAND') return SSH_COMMAND.test(value) ? 'usual' : null
  // Without the settings of the person or the machine.
  if (/^GIT_CONFIG_(?:GLOBAL|SYSTEM)$/.test(name) && value === '/dev/null') return 'harmless'
  if (/^GIT_(?:CONFIG|SSH|PROXY|EXEC|EXTERNAL|TEMPLATE|PAGER|EDITOR|ASKPASS|SEQUENCE)/.test(name)) return null
  if (FLAGS.test(value)) return 'harmless'
  return /^GIT_(?:DIR|WORK_TREE|INDEX_FILE)$/.test(name) && PROJECT_FOLDER.test(value) ? 'usual' : null
}

/** Whether every folder of a list has this shape. An empty one is the current folder, and never has. */
function every(list: string, shape: RegExp): boolean {
  const entries = list.replace(/^["']|["']$/g, '').split(':')
  return entries.length <= 32 && entries.every((entry) => entry !== '' && shape.test(entry))
}
