import type { PartAssignment } from '../../command/model/decomposition.ts'
import { VARIABLES } from '../../knowledge/compiled/commands.ts'

/** What a value of a powerful variable is: harmless, usual in honest work, or neither. */
type Quiet = 'harmless' | 'usual' | null

const FLAGS = /^(?:0|1|true|false|yes|no|on|off|\d{1,9})?$/i
const NODE_FLAGS =
  /^(?:\s*--(?:max[-_]old[-_]space[-_]size=\d{1,6}|max[-_]semi[-_]space[-_]size=\d{1,6}|experimental-[\w-]+|openssl-legacy-provider|no-warnings(?:=\w+)?|no-deprecation|enable-source-maps|trace-(?:warnings|deprecation|uncaught)|unhandled-rejections=\w+|stack-trace-limit=\d+|conditions=\w+|expose-gc|inspect(?:-brk)?))+\s*$/
const JAVA_FLAGS = /^(?:\s*-(?:Xm[xsn]\d+[kKmMgG]?|XX:[+-]?\w+(?:=\w+)?|D[\w.]+=[\w.:/-]*|ea|server))+\s*$/
const GO_FLAGS =
  /^(?:\s*-(?:mod=(?:mod|vendor|readonly)|race|v|count=\d+|tags=[\w,]+|p=\d+|trimpath|buildvcs=\w+))+\s*$/
const MAKE_FLAGS = /^(?:\s*-?(?:j\s?\d*|k|s|r|B|w|-no-print-directory|-silent|O\w*))+\s*$/
const SSH_COMMAND =
  /^["']?ssh(?: -(?:i ?[^\s;&|$`]+|p ?\d+|v+|q|F \/dev\/null|o ?(?:IdentitiesOnly|StrictHostKeyChecking|UserKnownHostsFile|BatchMode|ConnectTimeout|LogLevel)=[\w./-]+))*["']?$/
/** Folders of programs that people put on their PATH. */
const TOOL_FOLDER =
  /^(?:["']?(?:\$\{?PATH\}?|\/usr(?:\/local)?\/s?bin|\/s?bin|\/usr\/local\/[\w.+-]+(?:\/[\w.+-]+)*\/bin|\/usr\/lib\/[\w.+/-]+|\/opt\/[\w.+/-]+|\/snap\/bin|\/nix\/[\w./-]+|(?:~|\$\{?HOME\}?)\/(?:\.local\/bin|\.?[\w.-]+(?:\/[\w.*-]+){0,6}\/bin|bin|\.bun\/bin|go\/bin)|(?:\.\/|\$\{?PWD\}?\/|\$\(pwd\)\/)?(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)|\$\{?(?:JAVA_HOME|GOPATH|GOROOT|CARGO_HOME|PNPM_HOME|BUN_INSTALL|NVM_BIN|VIRTUAL_ENV|ANDROID_HOME|FLUTTER_HOME|PYENV_ROOT)\}?(?:\/[\w.-]+)*|\$\((?:npm bin|go env GOPATH|npm root -g|yarn global bin|brew --prefix)\)(?:\/[\w.-]+)*)["']?)$/
const PROJECT_FOLDER =
  /^["']?(?:\.{0,1}[\w-][\w.-]*(?:\/[\w.-]+)*|\.|\.\/[\w./-]*|\$\{?PWD\}?(?:\/[\w./-]+)?|\$\(pwd\)(?:\/[\w./-]+)?|\$\{?(?:PYTHONPATH|NODE_PATH|PERL5LIB|RUBYLIB)(?::[-+][^}]{0,32})?\}?)?["']?$/

/** Tells whether a value of a variable that could slip code under a command is one that honest work uses. */
export function isQuietSetting({ name, value, text }: PartAssignment): Quiet {
  const given = value ?? text ?? ''
  if (given.length > 1024) return null
  if (value !== null && VARIABLES.programs.has(name) && (value === '' || VARIABLES.safePrograms.has(value)))
    return 'harmless'
  if (/^GIT_/.test(name)) return gitSetting(name, value)
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
    case 'PS1':
    case 'PS4':
      return value !== null && !value.includes('$(') && !value.includes('`') ? 'harmless' : null
    case 'NODE_EXTRA_CA_CERTS':
      return 'usual'
    case 'PYTHONINSPECT':
      return 'harmless'
    default:
      return VARIABLES.libraryPaths.has(name) && every(text ?? given, PROJECT_FOLDER) ? 'harmless' : null
  }
}

function gitSetting(name: string, value: string | null): Quiet {
  if (value === null) return name === 'GIT_DIR' || name === 'GIT_WORK_TREE' ? 'usual' : null
  if (name === 'GIT_SSH_COMMAND') return SSH_COMMAND.test(value) ? 'usual' : null
  if (/^GIT_(?:CONFIG|SSH|PROXY|EXEC|EXTERNAL|TEMPLATE|PAGER|EDITOR|ASKPASS|SEQUENCE)/.test(name)) return null
  if (FLAGS.test(value)) return 'harmless'
  return /^GIT_(?:DIR|WORK_TREE|INDEX_FILE)$/.test(name) && PROJECT_FOLDER.test(value) ? 'usual' : null
}

/** Whether every folder of a list has a shape; an empty one is the current folder, and is none. */
function every(list: string, shape: RegExp): boolean {
  const entries = list.replace(/^["']|["']$/g, '').split(':')
  return entries.length <= 32 && entries.every((entry) => entry !== '' && shape.test(entry))
}
