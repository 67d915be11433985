import type { CommandPart } from '../command/decomposition.ts'
import { finding, type RiskFinding } from './finding.ts'
import { wordSet } from './word-set.ts'

/** Variables by which another program, library or setting is slipped under a harmless command. */
const INJECTS = wordSet(
  'PATH PAGER EDITOR VISUAL MANPAGER BROWSER SHELL SHELLOPTS BASHOPTS BASH_ENV ENV PROMPT_COMMAND PS1 PS4 ' +
    'IFS CDPATH HOME XDG_CONFIG_HOME PYTHONPATH PYTHONSTARTUP PYTHONHOME PYTHONINSPECT PERL5LIB PERL5OPT ' +
    'PERL5DB RUBYOPT RUBYLIB NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED ' +
    'JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH LESSOPEN LESSCLOSE LESS SSH_ASKPASS ' +
    'SUDO_ASKPASS GCONV_PATH HOSTALIASES RUSTC_WRAPPER RUSTC CARGO_HOME GOFLAGS MAKEFLAGS PIP_INDEX_URL ' +
    'PIP_EXTRA_INDEX_URL UV_INDEX_URL RIPGREP_CONFIG_PATH WGETRC CURL_HOME KUBECONFIG DOCKER_HOST HISTFILE ' +
    'ZDOTDIR FPATH TERMINFO OPENSSL_CONF PGSERVICEFILE PSQLRC LOCPATH TMPDIR_EXEC',
)
const PREFIXES = ['LD_', 'DYLD_', 'GIT_', 'BASH_FUNC_', 'npm_config_', 'NPM_CONFIG_']
const HARMLESS_GIT =
  /^GIT_(?:(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|TERMINAL_PROMPT|TRACE\w*|OPTIONAL_LOCKS|MERGE_AUTOEDIT)$/
/** Values that only switch something off. */
const QUIET = new Set(['', 'cat', 'true', ':', '/bin/cat', '/usr/bin/true'])
const QUIETABLE = wordSet(
  'PAGER MANPAGER GIT_PAGER EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_ASKPASS SSH_ASKPASS LESS',
)

/** Rates the variables a command sets. */
export function rateEnvironment(part: CommandPart): RiskFinding | null {
  if (part.assignments.length === 0) return null
  const bad = part.assignments.find(({ name, value }) => injects(name, value, part.program))
  if (bad !== undefined) {
    // The name comes from a fixed list or a fixed prefix; the value is never shown.
    return finding(
      'high',
      'environment.injection',
      `sets ${INJECTS.has(bad.name) ? bad.name : 'a variable'} that changes which code runs`,
      'unknown',
    )
  }
  return part.program === '' ? finding('low', 'environment.set', 'sets variables') : null
}

function injects(name: string, value: string | null, program: string | null): boolean {
  if (!INJECTS.has(name) && !PREFIXES.some((prefix) => name.startsWith(prefix))) return false
  if (HARMLESS_GIT.test(name)) return false
  if (name === 'IFS' && (program === 'read' || (value !== null && /^[\n\t ,:;]?$/.test(value)))) return false
  if (name === 'NODE_OPTIONS' && value !== null && /^--max[-_]old[-_]space[-_]size=\d{1,6}$/.test(value)) return false
  return !(value !== null && QUIETABLE.has(name) && QUIET.has(value))
}
