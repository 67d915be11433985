import type { CommandPart } from '../../command/decomposition.ts'
import type { Assess, PartFacts } from '../facts.ts'
import { finding, type RiskFinding } from '../finding.ts'
import { CODE_FLAGS, interpreterOf } from '../interpreter-names.ts'

/** Words by which a one-liner reaches files, programs or the network. */
const REACHES =
  /system|exec|spawn|popen|subprocess|fork|unlink|rmtree|remove|rmdir|rmsync|\brm\b|write|truncate|rename|chmod|chown|kill|socket|urlopen|urllib|requests|fetch|http|https|\bnet\b|ftp|eval|compile|__import__|child_process|shutil|\bos\b|\bfs\b|open|file\.|io\.|dir\.|pty|ctypes|pickle|marshal|base64|fromcharcode|atob|unpack|`|%x|qx|do shell script|import\(|getattr|globals|builtins|process\.(?!argv|version|env\.node_env|exit|stdout)|environ|getenv/i

const SAFE_MODULES = new Set(
  (
    'pytest unittest json.tool mypy black ruff flake8 coverage compileall timeit isort pylint doctest pdb ' +
    'cProfile tabnanny py_compile build site sysconfig platform this calendar'
  ).split(' '),
)
/** The code a one-liner carries: undefined when there is none, null when it is not known. */
function inlineCode(part: CommandPart, flag: RegExp): string | null | undefined {
  for (let at = 0; at < part.args.length; at++) {
    const value = part.args[at]?.value
    if (value === undefined) return undefined
    if (value === null) return undefined
    if (flag.test(value)) return part.args[at + 1]?.value ?? null
    const joined = /^--(?:eval|print)=(.*)$/s.exec(value)
    if (joined?.[1] !== undefined) return joined[1]
    if (!value.startsWith('-')) return undefined
  }
  return undefined
}

/** Rates an interpreter by the code it is given: inline, by file, by module or by its input. */
export const assessInterpreter: Assess = (facts) => {
  const { part, program } = facts
  const flag = CODE_FLAGS.get(interpreterOf(program) ?? '')
  const code = flag === undefined ? undefined : inlineCode(part, flag)
  if (code === null) return finding('high', 'code.unknown', `${program} runs code that is not known`, 'unknown')
  const rewrites = /^(?:perl|ruby)/.test(program) && part.args.some((word) => /^-[a-z0-9]{0,6}i/.test(word.value ?? ''))
  if (code !== undefined) {
    const rated = rateCode(code, program)
    return rewrites && rated.level === 'low'
      ? finding('medium', 'files.rewrite', `${program} rewrites files in place`)
      : rated
  }
  return rateScript(facts)
}

function rateCode(code: string, program: string): RiskFinding {
  if (code.length > 400 || REACHES.test(code))
    return finding(
      'high',
      'code.inline',
      `${program} runs inline code that may reach files, programs or the network`,
      'unknown',
    )
  return finding('low', 'code.inline', `${program} runs a short piece of code`)
}

function rateScript({ part, program, places }: PartFacts): RiskFinding {
  const module = part.args.findIndex((word) => word.value === '-m')
  if (module !== -1 && interpreterOf(program) === 'python')
    return rateModule(part.args[module + 1]?.value ?? null, part)
  const verbs = new Set(['run', 'test', 'check', 'fmt', 'lint', 'task'])
  const script = part.args.find(
    (word) => word.value === null || (!word.value.startsWith('-') && !verbs.has(word.value)) || word.value === '-',
  )
  if (script === undefined) {
    if (part.stdin.kind === 'literal') return rateCode(part.stdin.text, program)
    if (part.stdin.kind === 'piped')
      return finding('high', 'code.stdin', `${program} runs code from its input`, 'unknown')
    return part.args.length > 0
      ? finding('low', 'code.option', `${program} is only asked about itself`)
      : finding('medium', 'code.session', `${program} opens a session`)
  }
  if (script.value === '-')
    return part.stdin.kind === 'literal'
      ? rateCode(part.stdin.text, program)
      : finding('high', 'code.stdin', `${program} runs code from its input`, 'unknown')
  if (script.value === null)
    return finding('high', 'code.unknown', `${program} runs a script that is not known`, 'unknown')
  if (/^[a-z]+:/i.test(script.value))
    return finding('high', 'code.remote', `${program} runs code from the network`, 'unknown')
  return rateScriptPath(script.value, places.workspace, program)
}

function rateScriptPath(path: string, workspace: string, program: string): RiskFinding {
  const outside = /^(?:\/|~|\.\.)/.test(path) && !path.startsWith(`${workspace}/`)
  return outside
    ? finding('high', 'code.outside', `${program} runs a script from outside the workspace`, 'unknown')
    : finding('low', 'code.script', 'runs a script of the project')
}

function rateModule(module: string | null, part: CommandPart): RiskFinding {
  if (module === null) return finding('high', 'code.unknown', 'python runs a module that is not known', 'unknown')
  if (module === 'http.server') return finding('medium', 'network.listen', 'serves files to the network')
  if (module === 'venv' || module === 'virtualenv') return finding('low', 'code.venv', 'makes a virtual environment')
  if (module === 'pip') {
    const foreign = part.args.some((word) => /^(?:https?:|git\+|--index-url|--extra-index-url)/.test(word.value ?? ''))
    return finding(foreign ? 'high' : 'medium', 'packages.install', 'python installs packages')
  }
  return SAFE_MODULES.has(module)
    ? finding('low', 'code.module', 'runs the project’s own code')
    : finding('medium', 'code.module', 'python runs a module')
}

/** A shell: with code it is rated by that code's own parts; a script or its input is rated here. */
export const assessShell: Assess = ({ part, program, hasInner, places }) => {
  if (hasInner) return finding('none', 'shell.inner', `${program} runs the commands shown`)
  const script = part.args.find(
    (word) => word.value === null || (!word.value.startsWith('-') && !word.value.startsWith('+')),
  )
  const checks = part.args.some((word) => word.value === '-n' || word.value === '-nv')
  if (script !== undefined && script.value === null)
    return finding('high', 'shell.unknown', `${program} runs a script that is not known`, 'unknown')
  if (script?.value != null && part.args.some((word) => word.value !== null && /^-[a-z]*c$/.test(word.value)))
    return finding('none', 'shell.inner', `${program} runs nothing`)
  if (script?.value != null && script.value !== '/dev/stdin')
    return checks
      ? finding('none', 'shell.check', `${program} only checks a script`)
      : rateScriptPath(script.value, places.workspace, program)
  if (part.stdin.kind === 'none') return finding('medium', 'shell.session', `${program} opens a session`)
  return finding('high', 'shell.stdin', `${program} runs whatever it is fed`, 'unknown')
}
