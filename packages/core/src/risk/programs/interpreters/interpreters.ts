import { inlineCode, interpreterOf } from '../../../command/code/inline-code.ts'
import { moduleOf, type RunModule } from '../../../command/code/python-module.ts'
import type { CommandWord } from '../../../command/model/decomposition.ts'
import { rowList, valuedOptionsOf } from '../../../knowledge/programs.ts'
import { shellNames } from '../../../knowledge/shell.ts'
import { optionValue } from '../../path/unresolved-path.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'
import { riskRank } from '../../report/level.ts'
import { type Assess, anyFlag, type PartFacts } from '../assessor/assessor.ts'
import { rateFrameworkScript } from './frameworks.ts'
import { rateCode } from './inline-code.ts'

/** Rates an interpreter by the code it is given: inline, by file, by module or by its input. */
export const assessInterpreter: Assess = (facts) => {
  const { part, program } = facts
  if (/^node(?:js)?$/.test(program) && part.args[0]?.value === 'inspect' && attachesTo(part.args[1]?.value ?? ''))
    return finding('high', 'session.attach', `${program} reads and controls a running process`, 'unknown')
  const code = inlineCode(program, part.args, part.stdin)
  const loaded = rateLoaded(facts)
  if (code !== null) {
    const inner = rateCode(code, facts)
    const rated = loaded !== null && riskRank(loaded.level) > riskRank(inner.level) ? loaded : inner
    const rewrites = /^(?:perl|ruby)/.test(program) && inPlace(part.args)
    return rewrites && riskRank(rated.level) < riskRank('medium')
      ? finding('medium', 'files.rewrite', `${program} rewrites files in place`)
      : rated
  }
  const module = moduleOf(program, part.args)
  const rated = module === null ? rateScript(facts) : rateModule(module, facts)
  return loaded !== null && riskRank(loaded.level) > riskRank(rated.level) ? loaded : rated
}

const PERL_MODULES = shellNames('perl_modules')
const RUBY_LIBRARIES = shellNames('ruby_libraries')

/** `perl -MName`, `ruby -rname`, `lua -l name`: code that is loaded before any other. */
function rateLoaded({ part, program }: PartFacts): RiskFinding | null {
  const name = interpreterOf(program)
  const letter = name === 'perl' ? 'Mm' : name === 'ruby' ? 'r' : name === 'lua' ? 'l' : null
  if (letter === null) return null
  const option = new RegExp(`^-[alnpsw0]{0,6}[${letter}]-?(.*)$`, 's')
  for (let at = 0; at < part.args.length; at++) {
    const value = part.args[at]?.value ?? null
    if (value === null || !value.startsWith('-')) return null
    const joined = option.exec(value)?.[1]
    if (joined === undefined) continue
    const given = joined === '' ? (part.args[at + 1]?.value ?? '') : joined
    const [module = ''] = given.split(/[=\s]/, 1)
    // A file of the project is code of the project.
    if (PERL_MODULES.has(module) || RUBY_LIBRARIES.has(module) || /^\.\/[\w./-]+$/.test(module)) continue
    return finding('medium', 'code.load', `${program} loads a module that is not a known one`, 'unknown')
  }
  return null
}

/** `node inspect -p 1234`, `node inspect 127.0.0.1:9229`: a process that runs already. */
function attachesTo(word: string): boolean {
  return /^(?:-p|--pid(?:=.*)?|[\w.[\]:-]*:\d{1,5}|\d+)$/.test(word)
}

/** `-i`, `-pi`, `-i.bak`; not the `i` in `-ruri`. */
export function inPlace(args: readonly CommandWord[]): boolean {
  return args.some(({ value }) => value !== null && /^-[acdlnpswW0-7]{0,8}i/.test(value))
}

function rateScript(facts: PartFacts): RiskFinding {
  const { part, program } = facts
  const served = program.startsWith('php') ? part.args.find((_, at) => part.args[at - 1]?.value === '-S') : undefined
  if (served !== undefined)
    return served.value?.startsWith('0.0.0.0') === true
      ? finding('high', 'network.listen', 'serves the project to the whole network', 'yes')
      : finding('medium', 'network.listen', 'serves the project on this machine', 'yes')
  const script = scriptOf(part.args)
  const fed = script === undefined || script.value === '-' || script.value === '/dev/stdin'
  if (script === undefined && part.args.length > 0 && part.stdin.kind !== 'piped')
    return finding('low', 'code.option', `${program} runs the project’s own code or prints its version`)
  if (fed && part.stdin.kind !== 'none')
    return finding('high', 'code.stdin', `${program} runs code from its input`, 'unknown')
  if (fed) return finding('medium', 'code.session', `${program} opens a session`)
  if (script.value === null) return finding('high', 'code.unknown', `${program} runs an unknown script`, 'unknown')
  if (/^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|npm:|jsr:|data:)/i.test(script.value))
    return finding('high', 'code.remote', `${program} runs code from the network`, 'unknown')
  const placed = rateScriptPath(script.value, facts)
  const framework = rateFrameworkScript(script.value, facts)
  return framework !== null && riskRank(framework.level) > riskRank(placed.level) ? framework : placed
}

function scriptOf(args: readonly CommandWord[]): CommandWord | undefined {
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    const value = word?.value ?? null
    if (value !== null && valuedOptionsOf('python').has(value)) at++
    else if (
      value === null ||
      value === '-' ||
      (!value.startsWith('-') && !rowList('python', 'subcommands').has(value))
    )
      return word
  }
  return undefined
}

/** A script of the project, or one from elsewhere. */
function rateScriptPath(given: string, { paths, program }: PartFacts): RiskFinding {
  const located =
    paths.find((path) => path.use === 'execute' && path.given === given) ?? paths.find((path) => path.given === given)
  switch (located?.place) {
    case 'temp':
    case 'device':
    case 'credentials':
    case 'gate':
    case null:
      return finding('high', 'code.outside', `${program} runs a script from an unsafe place`, 'unknown')
    case 'home':
    case 'elsewhere':
    case 'startup':
    case 'vcs':
    case 'system':
      return /\/downloads\//i.test(located.at ?? '')
        ? finding('high', 'code.outside', `${program} runs a script that was downloaded`, 'unknown')
        : finding('medium', 'code.outside', `${program} runs a script from outside the workspace`, 'unknown')
    default:
      return finding('low', 'code.script', 'runs a script of the project', 'partly')
  }
}

/** Modules that run a script or another module. */
const RUNNERS = /^(?:cProfile|profile|trace|pdb|runpy|coverage|tracemalloc|zipimport)$/
/** Modules that read code from the terminal. */
const SESSIONS = /^(?:code|asyncio|idlelib|idlelib\.idle|pdb|bpython|ptpython)$/

function rateModule({ name, program, rest }: RunModule, facts: PartFacts): RiskFinding {
  const { part } = facts
  if (name === null) return finding('high', 'code.unknown', 'python runs an unknown module', 'unknown')
  if (program !== null) return finding('none', 'code.module', `python runs ${program}`)
  if (name === 'http.server' || name === 'SimpleHTTPServer') {
    const open = part.args.some(({ value }) => value === '0.0.0.0' || value === '--bind=0.0.0.0' || value === '::')
    return open
      ? finding('high', 'network.listen', 'serves files to the whole network', 'yes')
      : finding('medium', 'network.listen', 'serves files to the network', 'yes')
  }
  if (name === 'zipfile' || name === 'tarfile')
    return anyFlag(part, '-l', '--list', '-t', '--test')
      ? finding('none', 'files.archive-list', 'python only lists an archive')
      : finding('medium', 'files.archive', 'python packs or unpacks files')
  if (name === 'pickle' || name === 'marshal')
    return finding('high', 'code.eval', 'python loads objects that can run code', 'unknown')
  if (name === 'webbrowser') return finding('medium', 'network.open', 'opens a page in the browser')
  const script = RUNNERS.test(name) ? rest.find(({ value }) => value === null || /\.py$|\//.test(value)) : undefined
  if (script !== undefined)
    return script.value === null
      ? finding('high', 'code.unknown', 'python runs an unknown script', 'unknown')
      : rateScriptPath(script.value, facts)
  if (SESSIONS.test(name))
    return part.stdin.kind === 'none'
      ? finding('medium', 'code.session', 'python opens a session')
      : finding('high', 'code.stdin', 'python runs code from its input', 'unknown')
  if (name === 'ensurepip') return finding('medium', 'packages.install', 'python installs pip')
  return finding('low', 'code.module', 'runs a module of the project')
}

/** A shell: with code it is rated by that code's own parts; a script or its input is rated here. */
export const assessShell: Assess = (facts) => {
  const { part, program, hasInner } = facts
  const startup = optionValue(part, ['--rcfile', '--init-file'])
  if (startup !== null && startup.value !== '/dev/null') {
    const project = startup.value !== null && !/^[/~]|\.\./.test(startup.value)
    return finding(
      project ? 'medium' : 'high',
      'shell.startup',
      `${program} starts with another startup file`,
      'unknown',
    )
  }
  if (hasInner) return finding('none', 'shell.inner', `${program} runs the commands shown`)
  const script = part.args.find(
    (word) => word.value === null || (!word.value.startsWith('-') && !word.value.startsWith('+')),
  )
  const checks = part.args.some((word) => word.value !== null && /^-[a-z]*n[a-z]*$/.test(word.value))
  if (script !== undefined && script.value === null)
    return finding('high', 'shell.unknown', `${program} runs an unknown script`, 'unknown')
  if (script?.value != null && part.args.some((word) => word.value !== null && /^-[a-z]*c$/.test(word.value)))
    return finding('none', 'shell.inner', `${program} runs nothing`)
  if (script?.value != null && script.value !== '/dev/stdin')
    return checks
      ? finding('none', 'shell.check', `${program} only checks a script`)
      : rateScriptPath(script.value, facts)
  if (part.stdin.kind === 'none') return finding('medium', 'shell.session', `${program} opens a session`)
  return finding('high', 'shell.stdin', `${program} runs its input`, 'unknown')
}
